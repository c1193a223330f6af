"""“Report…”: a window that measures a tokenizer on texts, and says what its vocabulary is worth on them.

`reporting.py` opens and closes the window; what it made outlives it. `report_maker.py` knows what was chosen to be
measured, makes the report in a thread, and writes it to files. `report_window.py` puts the parts together:
`report_bar.py` with the choices, `report_tables.py` with measures and lists of tokens, `chart_panel.py`, and
`prune_panel.py`.

What a report says (measures, sentences, lists, charts, and their texts) is described by `engine.reports.Contents`, for
the page as well as for this window, in the `wording()` of the window. Its texts are translated in the context `Report`.
"""
