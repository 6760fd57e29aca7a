"""HTTP: parse, call one service method, render."""
