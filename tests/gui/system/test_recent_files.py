"""The file with the recent files of a Linux desktop: what other programs wrote stays, and so does a file that is not
understood.
"""

import os
import sys
from pathlib import Path
from xml.etree import ElementTree as Xml

import pytest

from bpe_gui.gui.system.recent_files import add_to_shared
from bpe_gui.gui.system.settings import Settings

OTHER = """<?xml version="1.0" encoding="UTF-8"?>
<xbel version="1.0"
      xmlns:bookmark="http://www.freedesktop.org/standards/desktop-bookmarks"
      xmlns:mime="http://www.freedesktop.org/standards/shared-mime-info">
  <bookmark href="file:///home/me/%E4%B8%AD.odt" added="2026-01-02T03:04:05Z" modified="2026-01-02T03:04:05Z" \
visited="2026-01-02T03:04:05Z">
    <title>中 &amp; more</title>
    <info>
      <metadata owner="http://freedesktop.org">
        <mime:mime-type type="application/vnd.oasis.opendocument.text"/>
        <bookmark:groups><bookmark:group>Office</bookmark:group></bookmark:groups>
        <bookmark:applications>
          <bookmark:application name="soffice" exec="&apos;soffice %u&apos;" modified="2026-01-02T03:04:05Z" count="3"/>
        </bookmark:applications>
      </metadata>
    </info>
  </bookmark>
</xbel>
"""
PROJECT = "application/x-bpe-gui-project"


def canonical(element: Xml.Element) -> str:
    return Xml.canonicalize(Xml.tostring(element, "unicode"), strip_text=True)


def test_a_file_is_added_once_and_others_stay(tmp_path: Path) -> None:
    shared = tmp_path / "recently-used.xbel"
    shared.write_text(OTHER, encoding="utf-8")
    name = os.fsdecode(b"\xff & 1.bpe.json") if sys.platform == "linux" else "ü & 1.bpe.json"
    for _time in range(2):
        add_to_shared(shared, tmp_path / name, PROJECT)
    theirs, ours = Xml.parse(shared).getroot()
    assert canonical(theirs) == canonical(Xml.fromstring(OTHER)[0])
    assert ours.get("href") == (tmp_path / name).as_uri()
    assert ours.attrib.keys() == {"href", "added", "modified", "visited"}
    text = shared.read_text("utf-8")
    assert f'<mime:mime-type type="{PROJECT}"' in text
    assert '<bookmark:application name="bpe-gui" exec="\'bpe-gui %f\'"' in text
    assert text.count('count="2"') == 1


def test_a_desktop_without_recent_files_gets_the_first(tmp_path: Path) -> None:
    shared = tmp_path / "share" / "recently-used.xbel"
    add_to_shared(shared, tmp_path / "a.bpe.json", PROJECT)
    assert [each.get("href") for each in Xml.parse(shared).getroot()] == [(tmp_path / "a.bpe.json").as_uri()]


@pytest.mark.parametrize("content", ["", "<xbel>", "not XML", OTHER.replace("</xbel>", "<bookmark/>")])
def test_a_file_that_is_not_understood_stays(tmp_path: Path, content: str) -> None:
    shared = tmp_path / "recently-used.xbel"
    shared.write_text(content, encoding="utf-8")
    add_to_shared(shared, tmp_path / "a.bpe.json", PROJECT)
    assert shared.read_text("utf-8") == content


def test_the_settings_tell_of_recent_files(tmp_path: Path) -> None:
    settings, told = Settings(tmp_path / "settings.ini"), list[Path]()
    settings.recent_added = told.append
    settings.add_recent(tmp_path / "a.bpe.json")
    assert told == [tmp_path / "a.bpe.json"]
