"""What a language model can do here: the tools and the protocol (MCP) of `POST /mcp` and of `kontor mcp`.

Both forms have the same tools. They differ in `Calls`: how a tool reaches the service. Nothing here knows a
match, a store or a library, so a model learns only what the API answers to its token.
"""
