"""The editor of text and its tokens, composed of parts that know each other by their public methods alone.

- `token_edit`: the widget. It hands Qt's events to the parts below and repaints when they report a change.
- `edited_text`: the text, its selection (`selection`) and its undo history (`undo`). Has no geometry.
- `visible_rows`: the rows in view, the scroll bar, and where an offset is on the screen. Has no tokens.
- `token_layer`: the tokens in view, and which of them are outlined or flash.
- `painting`: paints one frame, given as plain values.
- `control`: turns keys, mouse, drag and drop, input methods and the clipboard into moves and edits.
- `accessibility`: gives screen readers the text (`excerpt` of it) and the token at the caret.
- `layout`: lays out text of any size, without a widget.

`token_view` wraps the editor for the panels.
"""
