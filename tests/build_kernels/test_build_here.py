"""Building the library of a checkout leaves nothing else in the package, of which wheels take all files."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from bpe_gui.engine.compilation import library
from build_kernels.library import build_here
from build_kernels.targets import TARGETS, Target


@pytest.mark.parametrize("fails", [False, True])
def test_only_the_library_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fails: bool) -> None:
    def build(_targets: Sequence[Target], folder: Path) -> list[Path]:
        (folder / "kernels.c").write_text("a source that is linked to it", "utf-8")
        if fails:
            raise ModuleNotFoundError("no compiler")
        built = folder / "kernels.so"
        built.write_bytes(b"code")
        return [built]

    monkeypatch.setattr(library, "PATH", tmp_path / "kernels.so")
    monkeypatch.setattr(library, "fits_sources", lambda: False)
    monkeypatch.setattr("build_kernels.library.build", build)
    target = next(iter(TARGETS.values()))
    if fails:
        with pytest.raises(ModuleNotFoundError):
            build_here(target)
    else:
        assert build_here(target) == tmp_path / "kernels.so"
    assert [path.name for path in tmp_path.iterdir()] == ([] if fails else ["kernels.so"])
