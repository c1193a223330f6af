"""Start a packaged program, which must train, open a file in its window and stay open: `packaging/start.py COMMAND...`.

The command is a program of any form, by its path or with what starts it: `packaging/start.py wine bpe-gui.exe`. On
Linux it needs a screen, for example that of `xvfb-run -a`.
"""

import os
import signal
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

LONGEST = 120  # seconds until a program that is started for the first time has opened its window
STAYS = 5  # seconds

command = [str(Path(word).absolute()) if Path(word).is_file() else word for word in sys.argv[1:]]  # it runs elsewhere
if not command:
    sys.exit("usage: packaging/start.py COMMAND...")
with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:  # Windows keeps files that are open
    Path(folder, "corpus.txt").write_text("low lower lowest newest widest\n" * 100, encoding="utf-8")
    own = ("XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME")
    settings = {**os.environ, **dict.fromkeys(own, folder), "BPE_GUI_LOG": "info"}

    train = [*command, "train", "corpus.txt", "--vocab-size", "270", "-o", "tokenizer"]
    done = subprocess.run(train, cwd=folder, env=settings, timeout=LONGEST, check=False)
    if done.returncode or not Path(folder, "tokenizer").exists():
        sys.exit(f"{' '.join(train)} ends with {done.returncode}.")

    window = subprocess.Popen(
        [*command, "--new-window", "corpus.txt"],
        cwd=folder,
        env=settings,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        errors="replace",
        start_new_session=os.name == "posix",  # some forms start another process
    )
    opened, lines = threading.Event(), list[str]()

    def listen() -> None:
        """Keep what the window logs, until its end."""
        for line in window.stderr or ():
            lines.append(line)
            if "opened " in line and "corpus.txt" in line:
                opened.set()

    listener = threading.Thread(target=listen, daemon=True)
    listener.start()
    is_open = opened.wait(LONGEST)
    try:
        window.wait(STAYS)
        is_open = False
    except subprocess.TimeoutExpired:
        if os.name == "posix":
            os.killpg(window.pid, signal.SIGTERM)
        else:
            subprocess.run(["taskkill", "/F", "/T", "/PID", str(window.pid)], check=False)
        window.wait(LONGEST)
    listener.join(STAYS)
    if not is_open:
        sys.exit(f"{''.join(lines)}The window of {' '.join(command)} did not open, or closed ({window.returncode}).")
    print(f"{' '.join(command)} trains, and its window opens.")
