"""The dialogs of the window, and the logic behind them."""
