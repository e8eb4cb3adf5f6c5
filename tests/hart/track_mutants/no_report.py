# SPDX-License-Identifier: Apache-2.0
"""no_report.py COMPILER SOURCE MODEL FLAGS...: neither SOURCE nor a header that it includes names a signal of the
hart's reports: a port trk_*, or struct gp_track of MODEL."""
import re
import subprocess
import sys

compiler, source, model, *flags = sys.argv[1:]
report = re.compile(r"\btrk_\w+|\bgp_track\b|\bTRK_\w+")
if not report.search(open(model).read()):
    sys.exit(f"{model}: has no struct gp_track; this test looks for its name")
rule = subprocess.run([compiler, "-MM", *flags, source], capture_output=True, text=True, check=True).stdout
files = [word for word in rule.replace("\\\n", " ").split()[1:]]
if source not in files or len(files) < 3:
    sys.exit(f"{source}: its headers are not found: {rule}")
wrong = 0
for path in files:
    for number, line in enumerate(open(path), 1):
        for found in report.finditer(line):
            print(f"{path}:{number}: names {found.group(0)}, a signal of the hart's reports")
            wrong += 1
sys.exit(1 if wrong else 0)
