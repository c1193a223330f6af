"""Projects: everything a window contains, as values and as a file."""

from bpe_gui.engine.formats import PROJECT_SUFFIX

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
