"""Widgets that paint: the editor, ids, chips, the timeline and charts. They know nothing of runs or the session.

- `tokens.py`: the tokens of a text as arrays, and their colours; no widgets.
- `editor/`: the text editor with its tokens. `token_id_view.py`: the ids in a grid; `id_lists.py`: how they are copied.
- `token_chips.py`: tokens as chips, the same in every panel; `chip_text.py`: sentences with chips and links;
  `reason_label.py`: why a pair is merged next. `fitted_text.py` keeps stacked letters inside their row.
- `token_inspector.py`: one token with its bytes, characters and parts.
- `timeline_view.py`: the merges of a run as a chart and a slider. `zoom_chart.py`: a chart in a report. Only that
  module imports pyqtgraph, when the first chart is shown.
- `splitter_views.py`: a splitter's expression, its parts, and a text to try it on.
- `find_bar.py`, `plain_text_edit.py`: a search bar, and an editor that keeps every character.

A view takes values and emits signals with values; a panel connects it to the session. Tokens are identified by their
index in the text, -1 for none; offsets count bytes of UTF-8.
"""
