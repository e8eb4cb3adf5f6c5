# SPDX-License-Identifier: Apache-2.0
"""The configuration of a build directory."""

import re


def setting(build, name):
    """The value of CMake's cache variable `name`, given or found."""
    cache = (build / "CMakeCache.txt").read_text(encoding="utf-8")
    return re.search(rf"^{name}:\w+=(.*)$", cache, re.M)[1]
