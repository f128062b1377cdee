"""Profiles of Hypothesis: few examples while developing, more in CI."""

import os

from hypothesis import HealthCheck, settings

settings.register_profile("dev", max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
settings.register_profile("ci", parent=settings.get_profile("dev"), max_examples=200, derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "dev")
