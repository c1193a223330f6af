"""The dialog of a run's plan."""
