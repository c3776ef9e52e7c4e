"""Rankings and confusion matrices become numbers. Nothing here reads data or prints."""
