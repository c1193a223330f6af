"""“Report…”: a page that measures a tokenizer on texts, and says what its vocabulary is worth there.

`reporting.py` makes the page; what was made outlives it. `report_maker.py` knows what was chosen to
measure, makes the report in a thread, and writes it to files. `report_page.py` puts the parts together:
`report_bar.py` with the choices, `report_tables.py` with measures and lists of tokens, `chart_panel.py`,
`prune_panel.py`, and on tabs of their own, `cost_panel.py`, with what the texts cost, and `audit_panel.py`, with the
texts that produce each entry.

The contents of a report (measures, sentences, lists, charts, and their texts) are defined by `engine.reports.Contents`,
both for the HTML page and for the window, using the window's `wording()`. Its texts are translated in the context
`Report`.
"""
