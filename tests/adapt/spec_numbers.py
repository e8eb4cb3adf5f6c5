# SPDX-License-Identifier: Apache-2.0
"""The numbers of spec/ for the benches, by the names that they have in the generated headers, without TALLY_.

SPEC.CSR_MIP is a CSR's number, SPEC.EV_INST_RET a selector; bit("MHPMEVENT_OF") is a field of one bit."""

import pathlib
import sys
import types

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))

from spec_headers import definitions  # noqa: E402  pylint: disable=wrong-import-position
from spec_read import Spec  # noqa: E402  pylint: disable=wrong-import-position

SPEC = types.SimpleNamespace(**{name.removeprefix("TALLY_"): value
                                for name, value, _ in definitions(Spec(ROOT / "spec"))})


def bit(name):
    return 1 << getattr(SPEC, f"{name}_LSB")
