"""The web: pages, JSON and live streams, each a view of a room."""
