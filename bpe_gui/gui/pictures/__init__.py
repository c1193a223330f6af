"""Export text with its tokens as HTML, images, SVG and PDF."""
