"""The table as a picture: geometry (pure), drawing, and the view that shows them."""
