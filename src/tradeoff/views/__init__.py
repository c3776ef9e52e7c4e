"""Views that several topics share: charts, text sections and JSON documents of results."""
