"""The API page (`/docs`), which shows openapi.json in a browser: CSS and JavaScript."""
