"""Documents for people beside the page (API, fairness, audit, standings), in every language."""
