"""Open saved tokenizers, and ask for whatever a file lacks."""

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Final

from platformdirs import user_cache_path
from PySide6.QtWidgets import QFileDialog, QMenu, QWidget

from bpe_gui.engine import (
    ASSUMED_SPLITTER,
    FORMATS,
    Progress,
    TokenizerSource,
    cached_sources,
    is_tokenizer,
    save,
    tokenizer_of,
    train,
    wildcards,
)
from bpe_gui.gui.dialogs.boxes import open_once
from bpe_gui.gui.dialogs.tokenizer_dialogs import RanksDialog, TokenizerNameDialog
from bpe_gui.gui.jobs import JobRunner
from bpe_gui.gui.look.lifetime import weakly
from bpe_gui.gui.panels.notice_bar import Notice
from bpe_gui.gui.session.opened_tokenizers import PROJECT, OpenedTokenizer, TokenizerToOpen
from bpe_gui.gui.system.paths import exists
from bpe_gui.gui.system.settings import Settings
from bpe_gui.gui.wording.phrases import joined_sentences, labelled
from bpe_gui.gui.wording.sentences import error_message
from bpe_gui.samples import samples

from .part import Handlers, Surroundings, WindowPart

_LONG_SAMPLE: Final = "how-machines-read.txt"
_SAMPLE_FORMAT: Final = "huggingface"


def _chosen_splitter(settings: Settings, path: Path) -> str:
    """Return the splitter that the user has chosen for a tokenizer; empty if there is none that is known."""
    if name := settings.splitter_of(tokenizer_of(path)):
        from bpe_gui.engine import KNOWN_SPLITTERS

        return name if name in KNOWN_SPLITTERS else ""
    return ""


class TokenizerOpener(WindowPart):
    """Asks for tokenizers, and has the session read them."""

    def __init__(self, around: Surroundings) -> None:
        super().__init__(around)
        self._making = JobRunner(self)
        self._missing: Notice | None = None
        self._pattern_notice: Notice | None = None
        self._opened_without_pattern: OpenedTokenizer | None = None
        opened = self._session.opened
        opened.splitter_of = partial(_chosen_splitter, self._settings)
        for follow in (self._add_recent, self._offer_pattern, self._show_notes):
            opened.tokenizer_read.connect(follow)
        opened.list_changed.connect(self._dismiss_offer_for_closed)

    def handlers(self) -> Handlers:
        """Return what the actions of the window do that open tokenizers."""
        return {"open_tokenizer": self.ask, "open_published": self.ask_for_name}

    def ask(self) -> None:
        """Ask for a tokenizer file and open it; if a tokenizer consists of several files, any of them will do."""
        path = self.choose(self._window)
        if path is not None:
            self._notices.clear_words()
            self.open(path)

    def ask_instead(self) -> None:
        """Ask for a file of a tokenizer that could not be read, and show it if that one was to be shown."""
        opened, path = self._session.opened, self.choose(self._window)
        if path is not None:
            opened.open_all([TokenizerToOpen(TokenizerSource(path))], show_last=opened.shows_last)

    def ask_for_name(self) -> None:
        """Ask for the name of a published tokenizer, download it and open it."""
        dialog = TokenizerNameDialog(self._window)
        dialog.found.connect(self._open_source)
        open_once(dialog)

    def _open_source(self, source: TokenizerSource) -> None:
        self._notices.clear_words()
        self._session.opened.open(source)

    def fill(self, menu: QMenu) -> None:
        """List the tokenizers opened before, those in the caches of other programs, and ways to get others."""
        menu.clear()
        recent = [path for path in self._settings.recent_files if exists(path) and is_tokenizer(path)]
        for path in recent:
            menu.addAction(TokenizerSource(path).name.replace("&", "&&"), weakly(self.open_recent, path))
        for source in cached_sources():
            if source.path not in recent:
                menu.addAction(source.name.replace("&", "&&"), weakly(self._open_source, source))
        menu.addSeparator()
        menu.addAction(self.tr("Open a file…"), self.ask)
        menu.addAction(self.tr("Download by name…"), self.ask_for_name)

    def make_from_sample(self) -> None:
        """Train a tokenizer on the longest English sample, save it in the cache, and open it."""
        sample = next(each for each in samples() if each.path.name == _LONG_SAMPLE)
        folder = user_cache_path("bpe-gui", appauthor=False) / sample.path.stem

        def make(_report: Progress) -> Path:
            folder.mkdir(parents=True, exist_ok=True)
            special, merges, size = sample.special_tokens, sample.num_merges, sample.vocab_size
            made = train(
                sample.read(), recipe=sample.recipe, special_tokens=special, num_merges=merges, vocab_size=size
            )
            save(made, folder, _SAMPLE_FORMAT)
            return folder / FORMATS[_SAMPLE_FORMAT].files[0]

        self._making.abandon()
        self._making.start("make a tokenizer", work=make, on_success=self.open, on_error=self._session.failed.emit)

    def choose(self, window: QWidget) -> Path | None:
        """Ask, in a dialog on top of `window`, for a tokenizer file; return None if the user cancels."""
        by_format, title, folder = wildcards(), self.tr("Open tokenizer"), str(self._settings.recent_folder)
        every = " ".join(sorted({wildcard for each in by_format.values() for wildcard in each}))
        all_tokenizers, all_files = self.tr("Tokenizers"), self.tr("All files")
        formats = (f"{name} ({' '.join(each)})" for name, each in by_format.items())
        kinds = ";;".join([f"{all_tokenizers} ({every})", *formats, f"{all_files} (*)"])
        name, _filter = QFileDialog.getOpenFileName(window, title, folder, kinds)
        return Path(name) if name else None

    def open(self, *paths: Path) -> None:
        """Open tokenizers, each given by its folder or any of its files, in a thread; show the last one."""
        one_of_each = {tokenizer_of(path): path for path in reversed(paths)}  # the first of several files of one
        sources = map(TokenizerSource, reversed(one_of_each.values()))
        self._session.opened.open_all(list(map(TokenizerToOpen, sources)))

    def open_recent(self, path: Path) -> None:
        """Open a recent tokenizer; if it is gone, offer to remove it from the recent files."""
        self.forget_missing()
        if exists(path):
            self.open(path)
            return
        offer = lambda: self.tr("Remove from list"), lambda: self._settings.forget_recent(path)
        self._missing = self._notices.show_message(
            lambda: self.tr("{path} cannot be found.").format(path=path), [offer]
        )

    def forget_missing(self) -> None:
        """Dismiss the notice about a missing tokenizer, because the user is opening something else."""
        self._notices.dismiss(self._missing)

    def ask_about_ranks(self) -> None:
        """Ask for the pattern and the special tokens of the opened file of ranks, and reopen it with them."""
        opened = self._session.opened.tokenizer
        if opened is None or opened.lacks != "pattern":
            return
        session, path, tokenizer = self._session, opened.source.path, opened.tokenizer(opened.run_length)
        special = tokenizer.special_tokens
        ranks = {token_id: token for token_id, token in tokenizer.vocab.items() if token_id not in special.values()}
        dialog = RanksDialog(opened.name, opened.source.pattern or ASSUMED_SPLITTER, special, ranks, self._window)
        dialog.asked.connect(lambda: session.opened.open(TokenizerSource(path, dialog.pattern, dialog.special_tokens)))
        dialog.rejected.connect(session.opened.reading.abandon)
        dialog.finished.connect(self._dismiss_what_was_dealt_with)
        session.opened.tokenizer_read.connect(dialog.accept)
        session.failed.connect(dialog.show_error)
        open_once(dialog)

    def choose_splitter(self, name: str) -> None:
        """Open the tokenizer on screen again with a splitter, and remember that for its file."""
        opened = self._session.opened.tokenizer
        if opened is not None:
            self._settings.remember_splitter(tokenizer_of(opened.source.path), name)
            self._session.opened.open(replace(opened.source, splitter=name))

    def _add_recent(self, opened: OpenedTokenizer) -> None:
        if opened.format != PROJECT and not opened.source.published_name:
            self._settings.add_recent(opened.source.path)

    def _show_notes(self, opened: OpenedTokenizer) -> None:
        """Say what the tokenizer's files leave open, or have and is not applied."""
        if notes := opened.tokenizer(opened.run_length).notes:
            self._notices.show_message(lambda: labelled(opened.name, joined_sentences(map(error_message, notes))))

    def _offer_pattern(self, opened: OpenedTokenizer) -> None:
        """Offer to ask for the pattern and the special tokens, which a file of ranks lacks."""
        if not opened.is_guessed:
            return

        def ask() -> None:
            self._session.opened.show(opened)
            self.ask_about_ranks()

        self._opened_without_pattern = opened
        offer = lambda: self.tr("Pattern and special tokens…"), ask
        self._notices.dismiss(self._pattern_notice)
        self._pattern_notice = self._notices.show_message(
            lambda: self.tr(
                "{name} has no splitting pattern or special tokens. The GPT-2 pattern is used, without special tokens."
            ).format(name=opened.name),
            [offer],
        )

    def _dismiss_what_was_dealt_with(self) -> None:
        """Dismiss the notices that the dialog about ranks has also shown, or made pointless."""
        self._notices.dismiss(self._pattern_notice)
        self._notices.clear_words()

    def _dismiss_offer_for_closed(self) -> None:
        if self._opened_without_pattern not in self._session.opened.tokenizers:
            self._opened_without_pattern = None
            self._notices.dismiss(self._pattern_notice)
