# SPDX-License-Identifier: Apache-2.0
"""The verdict of a test in Python: it goes on after a failed check, and its exit status is the verdict."""

SHOWN = 20  # of the failures in a loop
failed = 0


def check(ok, what, seen=""):
    """Unless `ok`, print the expectation `what`, and the value seen instead."""
    global failed
    if not ok:
        failed += 1
        if failed <= SHOWN:
            print(f"WRONG: {what}" + (f"\n{seen}" if seen != "" else ""), flush=True)


def verdict():
    """Of all checks so far; -> exit status."""
    print("ok" if not failed else f"{failed} wrong")
    return int(failed != 0)
