"""Work in threads and processes, with progress and cancellation."""
