"""Documents for people beside the page (API, fairness, audit), in every language."""
