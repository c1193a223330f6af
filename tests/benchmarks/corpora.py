"""Build the corpora of the benchmarks: run `python -m tests.benchmarks.corpora FOLDER` on Debian 12.

It writes 10 MB and 100 MB of each of
- `en`: English manuals and dictionaries,
- `code`: the C code of Linux,
- `multi`: manuals in Chinese and Japanese, of which Debian has some 60 MB, then in other languages.

The packages (700 MB) are downloaded once with apt-get, but not installed; run `apt-get update` first.
"""

import gzip
import hashlib
import html
import itertools
import re
import subprocess
import sys
import tarfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

KINDS = ("en", "code", "multi")
SIZES = {10: 10_000_000, 100: 100_000_000}
SEPARATOR = b"\n<|endoftext|>\n"

LINUX = "linux-source-6.1"
ENGLISH = """
    debian-policy debian-reference-en developers-reference dict-foldoc dict-jargon dict-wn erlang-doc exim4-doc-html
    fortunes freebsd-manpages gimp-help-en git-doc libboost1.81-doc libreoffice-help-en-us linux-doc-6.1 manpages
    manpages-dev perl-doc postgresql-doc-15 python-django-doc python3.11-doc r-doc-html sqlite3-doc vim-doc
"""
MULTI = """
    debian-faq-ja debian-faq-ko debian-faq-ru debian-faq-zh-cn debian-handbook debian-reference-de debian-reference-fr
    debian-reference-ja debian-reference-zh-cn debian-reference-zh-tw developers-reference-ja gimp-help-de gimp-help-ja
    gimp-help-ko gimp-help-ru gimp-help-zh-cn libreoffice-help-el libreoffice-help-hi libreoffice-help-ja
    libreoffice-help-ko libreoffice-help-ru libreoffice-help-zh-cn libreoffice-help-zh-tw manpages-de manpages-fr
    manpages-ja manpages-ja-dev manpages-ru manpages-uk manpages-zh
"""

# Translations and duplicates in the English packages, search indexes anywhere, and English in the handbook.
NOT_ENGLISH = re.compile(r"\.(de|fr|ja|zh|it|es|pt|ru|nl|ko|tr|cat)(\.|$)|/translations/|/_sources/|/search|genindex")
NOT_MULTI = re.compile(r"/html/en-US/|/search|genindex")

PLAIN_SUFFIXES = (".rst", ".txt", ".pod", ".dict", ".text")
MIN_DOCUMENT = 200  # bytes: shorter ones are stubs
MAX_DOCUMENT = 2_000_000  # bytes: longer ones are dictionaries, whose entries are unrelated
SECTION = 200_000  # bytes to divide these into


def build(folder: Path) -> None:
    packages = folder / "packages"
    packages.mkdir(parents=True, exist_ok=True)
    download([LINUX, *ENGLISH.split(), *MULTI.split()], packages)
    write(folder, "code", c_files(packages))
    write(folder, "en", shuffled(manuals(packages, ENGLISH.split(), NOT_ENGLISH)))
    write(folder, "multi", shuffled(manuals(packages, MULTI.split(), NOT_MULTI)))


def download(names: Iterable[str], packages: Path) -> None:
    missing = [name for name in names if not any(packages.glob(f"{name}_*.deb"))]
    if missing:
        subprocess.run(["apt-get", "download", *missing], cwd=packages, check=True)


def write(folder: Path, kind: str, documents: Iterable[bytes]) -> None:
    text = joined(documents, max(SIZES.values()))
    for size, length in SIZES.items():
        path = folder / f"{kind}_{size}.txt"
        unfinished = path.with_suffix(".part")  # so that nobody mistakes half a corpus for a whole one
        unfinished.write_bytes(whole_characters(text[:length]))
        unfinished.rename(path)
        print(path, f"{path.stat().st_size:,} bytes", flush=True)


def joined(documents: Iterable[bytes], length: int) -> bytes:
    """Join documents until there are `length` bytes, reading no more than necessary."""
    text = bytearray()
    for document in documents:
        text += document + SEPARATOR
        if len(text) >= length:
            return bytes(text)
    raise SystemExit(f"The packages hold only {len(text):,} bytes of text.")


def whole_characters(text: bytes) -> bytes:
    """Return UTF-8 without an incomplete character at the end."""
    return text.decode(errors="ignore").encode()


def shuffled(documents: Iterable[bytes]) -> Iterator[bytes]:
    """Yield each document once, ordered by hash, so that the first 10 MB are a sample of the whole."""
    by_hash = {hashlib.sha1(document).digest(): document for document in documents}
    return (by_hash[key] for key in sorted(by_hash))


def c_files(packages: Path) -> Iterator[bytes]:
    with unpacked(packages, LINUX) as tree, tarfile.open(next(Path(tree).glob("usr/src/*.tar.xz"))) as archive:
        for member in archive:
            file = archive.extractfile(member) if member.name.endswith((".c", ".h")) else None
            if file and (content := utf8(file.read())):
                yield content.encode()


def manuals(packages: Path, names: Iterable[str], unwanted: re.Pattern[str]) -> Iterator[bytes]:
    for name in names:
        with unpacked(packages, name) as tree:
            for path in sorted(Path(tree).rglob("*")):
                if path.is_file() and not path.is_symlink() and not unwanted.search(str(path)):
                    yield from sections(text_of(path).encode())


def unpacked(packages: Path, name: str) -> TemporaryDirectory[str]:
    tree: TemporaryDirectory[str] = TemporaryDirectory(dir=packages)
    subprocess.run(["dpkg", "-x", max(packages.glob(f"{name}_*.deb")), tree.name], check=True)
    return tree


def sections(text: bytes) -> Iterator[bytes]:
    """Yield `text`; nothing if it is short; if it is long, sections that end at line ends."""
    if MIN_DOCUMENT < len(text) <= MAX_DOCUMENT:
        yield text
    elif len(text) > MAX_DOCUMENT:
        lines = text.splitlines(keepends=True)
        ends = itertools.accumulate(map(len, lines))
        for _, group in itertools.groupby(zip(ends, lines, strict=True), lambda line: line[0] // SECTION):
            yield b"".join(line for _, line in group)


def text_of(path: Path) -> str:
    """Return the text of a manual without markup; nothing for any other file."""
    reader = reader_for(str(path).removesuffix(".gz").removesuffix(".dz"))
    if reader is None:
        return ""
    content = path.read_bytes()
    text = utf8(gzip.decompress(content) if path.suffix in (".gz", ".dz") else content)
    return reader(text).replace("<|endoftext|>", "")


def reader_for(name: str) -> Callable[[str], str] | None:
    if re.search(r"\.x?html?(\.[a-zA-Z_-]+)?$", name):
        return without_tags
    if "/man/" in name:
        return without_troff
    return str if name.endswith(PLAIN_SUFFIXES) or "/games/fortunes/" in name else None


def utf8(content: bytes) -> str:
    """Return `content` as text; nothing if it is not UTF-8."""
    try:
        text = content.decode()
    except UnicodeDecodeError:
        return ""
    return "" if "\0" in text else text


def without_tags(text: str) -> str:
    text = re.sub(r"<(script|style)\b.*?</\1>", "", text, flags=re.DOTALL | re.IGNORECASE)
    text = html.unescape(re.sub(r"<[^>]*>", "", text))
    return re.sub(r"\n\s*\n", "\n\n", text)


def without_troff(text: str) -> str:
    text = re.sub(r"^\.\\\".*\n?", "", text, flags=re.MULTILINE)  # comments
    text = re.sub(r"^[.'][ \t]*[A-Za-z\\\"]+[^\S\n]?", "", text, flags=re.MULTILINE)  # requests such as .SH
    text = re.sub(r"\\f[A-Z(]|\\&|\\s[-+]?\d", "", text)  # fonts and sizes
    return text.replace("\\-", "-").replace("\\(aq", "'").replace("\\e", "\\")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    build(Path(sys.argv[1]))
