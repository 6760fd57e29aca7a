"""The API page (`/docs`), which shows openapi.json in a browser: HTML, CSS, JavaScript and translations."""
