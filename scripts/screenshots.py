#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The pictures of docs/pictures: a profile's page, skidded beside precise, and the documentation's site, in Chromium.

    scripts/screenshots.py --build BUILD [--out FOLDER]

The program is that of docs/first-hour.md, sampled by the misses of its loads.
"""

import argparse
import base64
import pathlib
import re
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "tests" / "tools" / "profile"))
from browser import Browser  # noqa: E402

MISSES = 0x10001  # CACHE.L1D.RD.MISS.RET (spec/events.yaml)
BOTH = """<!DOCTYPE html><meta charset="utf-8"><style>
body {{ margin: 0; padding: 14px; display: flex; gap: 18px; background: #fff; font: 16px "DejaVu Sans", sans-serif; }}
figure {{ margin: 0; }} figcaption {{ margin-bottom: 8px; }} img {{ border: 1px solid #d3dae2; display: block; }}
.bad {{ color: #c2320a; }} .good {{ color: #18794e; }}
</style>
<figure><figcaption class="bad">✗ where the interrupt came</figcaption><img src="{skidded}"></figure>
<figure><figcaption class="good">✓ the instruction that caused it (<code>shpmspc</code>)</figcaption>
<img src="{precise}"></figure>
<script>document.documentElement.dataset.ready = 'yes'</script>"""


def run(*command):
    subprocess.run([str(word) for word in command], check=True, stdout=subprocess.DEVNULL)


def sampled(build, work):
    """Pages: one program by its misses (run 0 by cause, run 1 by interrupt), its cycles; a workload with callers."""
    text = (ROOT / "docs" / "first-hour.md").read_text(encoding="utf-8")
    source, elf = work / "grid.c", work / "grid.elf"
    source.write_text(re.search(r"```c\n(.*?)```", text, re.S)[1], encoding="utf-8")
    run(build / "tally-cc", "-O2", "-g", source, "-o", elf)
    machine = [build / "tally-sim", "-bios", build / "sw/firmware.elf", "-kernel", build / "sw/program.elf",
               "--program", elf, "--quiet", "--delegate", "0x8", "--set", "program_mode=2", "--set", "sampled_jitter=7"]
    run(*machine, "--set", "sampled_kind=1", "--set", f"sampled_event={MISSES}", "--set", "sampled_period=31",
        "--records", work / "misses")
    run(*machine, "--set", "sampled_kind=6", "--set", "sampled_period=499", "--set", "sampled_instructions=61",
        "--records", work / "both")
    files = ["--quiet", "--firmware", build / "sw/firmware.elf", "--with", build / "sw/program.elf"]
    run(build / "tally-profile", *files, "--interrupts", "--html", work / "misses.html", work / "misses", elf)
    run(build / "tally-profile", *files, "--html", work / "both.html", work / "both", elf)
    # All cycles of a workload in U-, S- and M-mode, with callers
    calls = build / "sw/workload_storm.elf"
    run(build / "tally-sim", "-bios", build / "sw/firmware.elf", "-kernel", calls, "--quiet", "--where", work / "where",
        "--stacks", work / "stacks")
    run(build / "tally-profile", "--quiet", "--firmware", build / "sw/firmware.elf", "--stacks", work / "stacks",
        "--html", work / "calls.html", work / "where", calls)


def capture(browser, path, x=0, y=0, width=0, height=0):
    clip = {"clip": {"x": x, "y": y, "width": width, "height": height, "scale": 1}} if width else {}
    path.write_bytes(base64.b64decode(browser.call("Page.captureScreenshot", format="png", **clip)["data"]))


def skid(browser, work, out):
    pictures = {}
    for name, number in (("precise", 0), ("skidded", 1)):
        browser.open(work / "misses.html", f"#code&run={number}", 1080, 1400)
        browser.until("document.querySelectorAll('td, [role=row], tr').length > 20")
        time.sleep(0.5)
        rows = browser.ask("""(() => {
          const at = (text, last) => { const all = [...document.querySelectorAll('tr, [role=row], li, div')].filter(
            e => e.children.length && e.textContent.includes(text));
            return all[all.length - 1].getBoundingClientRect() };
          const source = at('static long sum'), code = at('c.mv x15,x14'), end = at('c.addi x14,8');
          const panels = [source, code].map(box => [box.left, box.right]);
          return [source.top, at('return total').bottom, code.top, end.bottom, ...panels.flat()] })()""")
        top, bottom, code_top, code_bottom, left, right, code_left, code_right = rows
        parts = []
        for part, box in (("source", (left, top, min(right - left, 400), bottom - top)),
                          ("code", (code_left, code_top, min(code_right - code_left, 400), code_bottom - code_top))):
            parts.append(work / f"{name}-{part}.png")
            capture(browser, parts[-1], *box)
        join = work / f"{name}.html"
        join.write_text("<!DOCTYPE html><style>body{margin:0;background:#fff}img{display:block;margin:6px}</style>" +
                        "".join(f'<img src="{part.name}">' for part in parts) +
                        "<script>document.documentElement.dataset.ready = 'yes'</script>", encoding="utf-8")
        browser.open(join, "", 412, 400)
        height = browser.ask("[...document.images].at(-1).getBoundingClientRect().bottom + 6")
        pictures[name] = work / f"{name}.png"
        capture(browser, pictures[name], 0, 0, 412, height)
    both = work / "both-sides.html"
    both.write_text(BOTH.format(**{name: path.name for name, path in pictures.items()}), encoding="utf-8")
    browser.open(both, "", 880, 500)
    capture(browser, out / "skid.png", 0, 0, 880, browser.ask("document.images[0].getBoundingClientRect().bottom + 14"))


def profile(browser, work, out):
    for name, page, view, scheme, height in (("profile", "both", "#summary&run=1", "light", 720),
                                             ("profile-flame", "calls", "#flame", "light", 470),
                                             ("profile-latency", "both", "#latency&run=1", "dark", 720)):
        browser.scheme(scheme)
        browser.open(work / f"{page}.html", view, 1100, height)
        time.sleep(1)  # transitions
        capture(browser, out / f"{name}.png")
    browser.scheme("light")


def site(browser, build, out):
    page = build / "site" / "index.html"
    if not page.exists():
        print("screenshots: no site: make docs first", file=sys.stderr)
        return
    browser.scheme("dark")
    browser.size(1200, 760)
    browser.call("Page.navigate", url=(build / "site" / "sampling.html").as_uri())
    browser.until("document.readyState === 'complete' && !!document.querySelector('h1')")
    time.sleep(1)
    capture(browser, out / "site.png")
    browser.scheme("light")


def main(argv):
    parser = argparse.ArgumentParser(description="Pictures of page and site.")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--out", type=pathlib.Path, default=ROOT / "docs" / "pictures")
    args = parser.parse_args(argv)
    args.out.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="tally-pictures-") as name:
        work = pathlib.Path(name)
        sampled(args.build.resolve(), work)
        browser = Browser(work)
        try:
            skid(browser, work, args.out)
            profile(browser, work, args.out)
            site(browser, args.build.resolve(), args.out)
        finally:
            browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
