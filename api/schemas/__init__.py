"""The schemas of requests, one module per resource: they parse bodies and query strings.

Responses have none: their answers define them (`service/answer_fields.py`), and the contract is derived from
these (`api/answers.py`).
"""
