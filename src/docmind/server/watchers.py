"""Who looks on at a service: its own counts always, a collector of spans where the environment names one."""

import os
from typing import TYPE_CHECKING

from docmind.domain.errors import SettingsError

if TYPE_CHECKING:
    from docmind.server.telemetry import Telemetry

COLLECTOR = ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")
"""As OpenTelemetry names them; the others of its variables are heeded too."""


def open_telemetry() -> "Telemetry | None":
    """Nothing of OpenTelemetry's is imported, or has to be installed, where no collector is named."""
    named = next((name for name in COLLECTOR if os.environ.get(name)), None)
    if named is None:
        return None
    try:
        from docmind.server.telemetry import Telemetry
    except ModuleNotFoundError as error:
        raise SettingsError(f"{named} is set, which needs {error.name}: pip install 'docmind[telemetry]'.") from error
    return Telemetry()
