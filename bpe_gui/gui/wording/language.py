"""The language of the window: which one it is, and the translations that go with it."""

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QLocale, QTranslator

from bpe_gui.resources import resource

# The languages there are, by the names that the settings and the translation files use.
LANGUAGES = ("en", "zh_CN")

_SOURCE = "en"
_TRANSLATOR = "bpe-gui-translator"


def install_language(app: QCoreApplication, choice: str) -> str:
    """Translate the application, Qt's own dialogs included, in place of what it was translated to before.

    `choice` is one of `LANGUAGES`, or empty for the system's. Returns the language in force: English where
    the translation cannot be read. Numbers are written the way of that language from then on.
    """
    language = choice if choice in LANGUAGES else system_language()
    translators = _load_translators(app, language)
    if not translators:
        language = _SOURCE
    for old in app.findChildren(QTranslator, _TRANSLATOR):
        app.removeTranslator(old)
        old.deleteLater()
    # Before the translators: their arrival makes the widgets write their texts anew, numbers included.
    QLocale.setDefault(_locale(language))
    for translator in translators:
        translator.setObjectName(_TRANSLATOR)
        app.installTranslator(translator)
    return language


def language_in_force() -> str:
    """The language that was installed last."""
    return "zh_CN" if QLocale().language() == QLocale.Language.Chinese else _SOURCE


def system_language(preferred: Sequence[str] | None = None) -> str:
    """The language of ours that the system's user likes best.

    `preferred` are the tags of QLocale.uiLanguages(), best first. Any kind of Chinese is shown the simplified
    script: it is nearer to a reader of the traditional one than English.
    """
    for tag in QLocale.system().uiLanguages() if preferred is None else preferred:
        match tag.replace("_", "-").split("-")[0].lower():
            case "zh":
                return "zh_CN"
            case "en":
                return "en"
    return _SOURCE


def _load_translators(app: QCoreApplication, language: str) -> list[QTranslator]:
    """Ours and Qt's own; none at all where ours is missing, for half a translation is worse."""
    ours = _load(app, resource("i18n", f"bpe_gui_{language}.qm"))
    if ours is None:
        return []
    qt_folder = Path(QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath))
    qts = _load(app, qt_folder / f"qtbase_{language}.qm")
    return [ours] if qts is None else [qts, ours]


def _load(app: QCoreApplication, path: Path) -> QTranslator | None:
    # Qt would make do with a file of a similar name; only this one will do.
    if not path.is_file():
        return None
    translator = QTranslator(app)
    if translator.load(str(path)):
        return translator
    translator.deleteLater()
    return None


def _locale(language: str) -> QLocale:
    """The system's own locale where it speaks the language: it knows its country's numbers and dates."""
    system = QLocale.system()
    locale = QLocale(language)
    return system if system.language() == locale.language() else locale
