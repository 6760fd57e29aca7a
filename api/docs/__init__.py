"""The page that shows the contract in a browser: one file of HTML, CSS and JavaScript each, put together when served."""
