"""The schemas of requests and responses, one module per resource.

Request schemas parse bodies and query strings. Response schemas are documentation: `api/render.py` builds the
responses, and a test checks every response against its schema. Fields that may get new values (`status`,
`type`, `code`) are strings with `x-extensible-enum` instead of `enum`: clients must accept unknown values.
"""
