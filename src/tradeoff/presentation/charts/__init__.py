"""Charts as plain data: what is drawn, never how. Renderers draw them."""
