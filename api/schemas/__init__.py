"""The schemas of requests and responses, one module per resource.

Request schemas parse bodies and query strings. Response schemas are documentation: `api/render.py` builds the
responses, and a test checks every response against its schema. Words that may grow (`status`, `type`, `code`)
are strings with their known values beside them, because clients must accept new ones.
"""
