"""Texts of Qt's own dialogs that its Chinese translation lacks, or words badly: ours take their place.

Nothing uses them here: they are for the tool that collects the texts to translate.
"""

from typing import Final

from bpe_gui.engine.runtime import translatable as _

TEXTS: Final = (
    _("QFileDialog", "&Look in:"),
    _("QFileDialog", "File &name:"),
    _("QFileDialog", "Files of &type:"),
    _("QFileSystemModel", "Size"),
    _("QAbstractFileIconProvider", "Folder"),
    _("QAbstractFileIconProvider", "File"),
    _("QAbstractFileIconProvider", "%1 File"),
)
