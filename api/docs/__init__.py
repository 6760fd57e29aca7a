"""The page that shows the contract in a browser: HTML, CSS and JavaScript files, joined when served."""
