"""The Java that Spark will run on."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

from streamon.errors import JavaError

OLDEST = 17
"""The oldest Java that Spark 4 runs on."""


def java() -> tuple[str, int]:
    """The `java` of JAVA_HOME, or else of the PATH, and its major version.

    Raises:
        JavaError: there is none, or it is older than Java 17.
    """
    home = os.environ.get("JAVA_HOME")
    command = shutil.which(str(Path(home, "bin", "java")) if home else "java")
    if command is None:
        where = f"JAVA_HOME={home} has no bin/java" if home else "Java is missing"
        raise JavaError(f"{where}: install a JDK {OLDEST} or later and point JAVA_HOME at it.")
    said = subprocess.run([command, "-version"], capture_output=True, text=True, check=False).stderr
    found = re.search(r'version "(?:1\.)?(\d+)', said)
    if found is None or int(found.group(1)) < OLDEST:
        release = found.group(1) if found else "unknown"
        raise JavaError(
            f"{command} is of release {release}, too old for Spark 4: "
            f"install a JDK {OLDEST} or later and point JAVA_HOME at it."
        )
    return command, int(found.group(1))
