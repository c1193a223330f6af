"""The language of the window, and its translations."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QLocale, QTranslator

from bpe_gui.engine import translatable as _
from bpe_gui.resources import resource

LANGUAGES: Final = ("en", "zh_CN")
"""The languages, as named in the settings and in the translation files."""

_SOURCE_LANGUAGE: Final = "en"
_TRANSLATOR: Final = "bpe-gui-translator"

_TEXTS_OF_QT: Final = (
    _("QFileDialog", "&Look in:"),
    _("QFileDialog", "File &name:"),
    _("QFileDialog", "Files of &type:"),
    _("QFileSystemModel", "Size"),
    _("QAbstractFileIconProvider", "Folder"),
    _("QAbstractFileIconProvider", "File"),
    _("QAbstractFileIconProvider", "%1 File"),
    _("QShortcut", "Left"),
    _("QShortcut", "Right"),
)
"""Texts of Qt's own dialogs that its Chinese translation lacks or words badly; ours takes precedence."""


def install_language(app: QCoreApplication, choice: str) -> str:
    """Translate the application and Qt's own dialogs, and format numbers as the language does.

    `choice` is one of `LANGUAGES`, or empty for the system's language. Return the language now in use, which is English
    if the translation cannot be read.
    """
    language = choice if choice in LANGUAGES else system_language()
    translators = _load_translators(app, language)
    if not translators:
        language = _SOURCE_LANGUAGE
    for old in app.findChildren(QTranslator, _TRANSLATOR):
        app.removeTranslator(old)
        old.deleteLater()
    # The system's locale if it has the language, because that has the country's number and date formats; and before the
    # translators, because installing them makes the widgets write their texts and numbers again.
    system, locale = QLocale.system(), QLocale(language)
    QLocale.setDefault(system if system.language() == locale.language() else locale)
    for translator in translators:
        translator.setObjectName(_TRANSLATOR)
        app.installTranslator(translator)
    return language


def language_in_force() -> str:
    """Return the language installed last."""
    return "zh_CN" if QLocale().language() == QLocale.Language.Chinese else _SOURCE_LANGUAGE


def system_language(preferred: Sequence[str] | None = None) -> str:
    """Return which of `LANGUAGES` the system's user prefers.

    `preferred` has the tags from QLocale.uiLanguages(), best first. Any Chinese becomes simplified Chinese, which is
    closer than English to a reader of the traditional script.
    """
    for tag in QLocale.system().uiLanguages() if preferred is None else preferred:
        match tag.replace("_", "-").split("-")[0].lower():
            case "zh":
                return "zh_CN"
            case "en":
                return "en"
    return _SOURCE_LANGUAGE


def _load_translators(app: QCoreApplication, language: str) -> list[QTranslator]:
    """Return our translator and Qt's; none if ours is missing, because half a translation is worse."""
    ours = _load(app, resource("i18n", f"bpe_gui_{language}.qm"))
    if ours is None:
        return []
    qt_folder = Path(QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath))
    qts = _load(app, qt_folder / f"qtbase_{language}.qm")
    return [ours] if qts is None else [qts, ours]


def _load(app: QCoreApplication, path: Path) -> QTranslator | None:
    # QTranslator.load would also accept a file with a similar name.
    if not path.is_file():
        return None
    translator = QTranslator(app)
    if translator.load(str(path)):
        return translator
    translator.deleteLater()
    return None
