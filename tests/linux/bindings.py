# SPDX-License-Identifier: Apache-2.0
"""Device trees against their bindings, by dt-schema: ours (sw/linux/drivers/bindings), and the kernel's of everything
else in the tree.

Ours do the work of a kernel patch: tally,pmu replaces riscv,pmu, and the items of tally,extensions are added to
riscv/extensions.
"""

import pathlib
import re
import shutil
import subprocess
import sys

from ruamel.yaml import YAML

ROOT = pathlib.Path(__file__).resolve().parents[2]
OURS = ROOT / "sw/linux/drivers/bindings"
# The kernel's bindings for the nodes of the machine, and those that they refer to
KERNELS = ("riscv/cpus", "riscv/extensions", "interrupt-controller/riscv,cpu-intc",
           "interrupt-controller/sifive,plic-1.0.0", "timer/sifive,clint", "serial/8250", "mfd/syscon",
           "power/reset/syscon-poweroff", "power/reset/syscon-reboot")


def tool(name, *arguments):
    """The output of a tool of dt-schema, which is beside this interpreter"""
    done = subprocess.run([str(pathlib.Path(sys.executable).parent / name), *map(str, arguments)],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    return done.stdout + (f"{name}: status {done.returncode}\n" if done.returncode else "")


def read(path):
    return YAML().load(path)


def copy(kernel, folder, name):
    """A binding and those that it refers to. (Those of dt-schema itself are not in the kernel.)"""
    target = folder / f"{name}.yaml"
    if target.exists() or not (kernel / f"{name}.yaml").exists():
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(kernel / f"{name}.yaml", target)
    text = target.read_text(encoding="utf-8")
    for other in re.findall(r"\$ref: [\"']?/schemas/([\w,./-]+)\.yaml", text):
        copy(kernel, folder, other)
    for other in re.findall(r"\$ref: [\"']?(\w[\w,./-]+)\.yaml", text):
        copy(kernel, folder, str(pathlib.PurePosixPath(name).parent / other))


def add_extensions(path):
    """Add the items of tally,extensions to the kernel's list."""
    document, ours = read(path), read(OURS / "riscv/tally,extensions.yaml")
    listed = document["properties"]["riscv,isa-extensions"]
    more = ours["properties"]["riscv,isa-extensions"]
    known = {item["const"] for item in listed["items"]["anyOf"]}
    listed["items"]["anyOf"].extend(item for item in more["items"]["anyOf"] if item["const"] not in known)
    listed["allOf"].extend(more["allOf"])
    YAML().dump(document, path)


class Bindings:
    """The processed bindings, in a folder of their own"""

    def __init__(self, build, folder):
        self.kernel = next(pathlib.Path(build).glob("linux/linux-source-*/")) / "Documentation/devicetree/bindings"
        schemas = pathlib.Path(folder) / "schemas"
        for name in KERNELS:
            copy(self.kernel, schemas, name)
        add_extensions(schemas / "riscv/extensions.yaml")
        (schemas / "perf").mkdir(exist_ok=True)
        shutil.copy(OURS / "perf/tally,pmu.yaml", schemas / "perf")
        self.processed = pathlib.Path(folder) / "processed.json"
        said = tool("dt-mk-schema", "-j", "-o", self.processed, schemas)
        if said:
            raise RuntimeError(f"dt-mk-schema: {said}")

    def complaints(self, tree):
        """Errors of a compiled tree; empty: none"""
        return tool("dt-validate", "-s", self.processed, tree)
