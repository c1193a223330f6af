"""The title of the window: the object on screen, and the project or the documents."""

from bpe_gui.gui.projects.project_controller import ProjectController
from bpe_gui.gui.session.object_names import distinct_name, shown_object

from .part import Surroundings, WindowPart


class WindowTitle(WindowPart):
    """Names what the window shows, and marks a project that has changed."""

    def __init__(self, around: Surroundings, projects: ProjectController) -> None:
        super().__init__(around)
        self._projects, session = projects, around.session
        for changed in (
            *(session.corpus.documents_changed, session.corpus.inputs_changed),
            *(session.opened.changed, session.opened.list_changed),
            *(session.branches.changed, session.branches.list_changed),
            projects.title_changed,
        ):
            changed.connect(self.show)

    def show(self) -> None:
        """Show the title in the language of the window."""
        session, projects = self._session, self._projects
        titles = [projects.name] if projects.name else [each.shown_title for each in session.corpus.documents]
        name = f"{titles[0]}{' …' if len(titles) > 1 else ''}" if titles else ""
        shown = shown_object(session)
        if shown is not session.branches.main:
            name = " · ".join(filter(None, (distinct_name(session, shown), name)))
        name = name.replace("[*]", "")
        self._window.setWindowTitle(f"{name}[*] — bpe-gui" if name else "bpe-gui[*]")
        self._window.setWindowModified(projects.is_modified)
