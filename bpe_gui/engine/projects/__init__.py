"""Projects: everything a window contains, as values (`project`) and as a `.bpe.json` file (`project_file`).

A file holds what could not be recreated: text, recipe, plans, branches, and the merges to compare with. Corpora on disk
are kept as paths with digests. Opening a project trains again, and says where the merges differ.
"""

from bpe_gui.engine.formats.registry import PROJECT_SUFFIX

from .project import Digest, OpenedFile, Project, ProjectBranch, ProjectDocument
from .project_file import load_project, save_project

__all__ = [
    "PROJECT_SUFFIX",
    "Digest",
    "OpenedFile",
    "Project",
    "ProjectBranch",
    "ProjectDocument",
    "load_project",
    "save_project",
]
