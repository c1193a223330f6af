"""The timeline: the merges of a run as a chart and a slider."""
