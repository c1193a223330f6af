"""Tables: what they show, how they sort and filter it, and how their cells are painted.

A table is a list of columns. A `Column` says what its cells show of a row: text, chips, a bar, a tooltip. The one
`TableModel` answers Qt from its columns and from `rows`, which is any sequence: a list if there are few rows, or a
class that computes a row when it comes into view if there may be a million. Where code refers to columns, an enum names
them, and the columns are listed under these names. The one `Table` takes widths, titles and
fonts from the model, and chooses the delegates that paint. A simple table needs no class of its own.

- `table_model`, `table`, `delegates`, `symbols_delegate`: the machinery, in this order.
- `filter_field`: the field above a table that finds tokens. The models filter their rows; with very many pairs,
  `panels/merges_panel.py` waits for a pause in typing first.
- `pair_model`, `merge_model`, `word_model`, `vocabulary_model`: the tables of the main window.
- `replay_view`, `lineage_view`, `numbers_view`: whole views with their models.

Before changing anything here:

- A repaint asks for thousands of values. The delegates call the functions of the columns, never `data`, which is for
  tooltips and screen readers. Qt's constants come from `look.qt_constants`.
- A column's functions live as long as the table. They must not close over a widget or a model, which would never be
  freed; whatever they need is in the row.
- A step changes the rows in place (`show`), so that a table keeps its scroll position and its selection.
- While a thread trains, nothing may read the run: `hold` greys the rows, and rows that were not read before stay empty.
"""
