"""What every test may ask for."""

from hypothesis import HealthCheck, settings

# The same examples in every run, so that a red build is red for everybody; `make fuzz` looks for new ones.
settings.register_profile("kontor", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("kontor")
