# SPDX-License-Identifier: Apache-2.0
"""The page of tally-profile in a browser, used as a reader does.

test_page.py TALLY_PROFILE RV64_ELF RV32_ELF
"""

import math
import pathlib
import subprocess
import sys
import tempfile
import unittest

import browser
import records
from known import ELF32, ELF64, OBJCOPY, UNKNOWN_PC, Work, known, line, run, samples

TABS = ("summary", "flame", "table", "code", "timeline", "memory", "latency", "compare")
TEXT = "document.getElementById('view').innerText"
# Frames of the flame graph: name, width, height, place
FRAMES = """[...document.querySelectorAll('#flame g.frame')].map(g => {
  const box = g.querySelector('rect').getBoundingClientRect()
  return {name: g.getAttribute('name'), left: box.left, right: box.right, top: box.top,
          marked: g.classList.contains('here'), colour: g.querySelector('rect').getAttribute('fill')}})"""
ROWS = "[...document.querySelectorAll('#view tbody tr')].map(row => [...row.children].map(cell => cell.innerText))"


def wilson(k, n):
    """The farther end of the 95 % score interval of k of n, in percent (E. B. Wilson, 1927)"""
    z, p = 1.96, k / n
    ends = [(p + z * z / (2 * n) + sign * z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))) / (1 + z * z / n)
            for sign in (1, -1)]
    return f"± {max(abs(end - p) for end in ends) * 100:.2f}"


def frame(name):
    return f"document.querySelector('#flame g.frame[name=\"{name}\"] rect')"


class Page(Work):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)  # the browser's last process may still write
        cls.addClassCleanup(folder.cleanup)
        cls.browser = browser.Browser(pathlib.Path(folder.name))
        cls.addClassCleanup(cls.browser.close)

    def setUp(self):
        super().setUp()
        self.browser.complaints.clear()
        self.browser.requests.clear()
        self.browser.scheme("light")

    def tearDown(self):
        """After every test: the page asked for nothing else, and its script did not fail."""
        self.assertEqual([url for url in self.browser.requests if not url.startswith(("about:", "file:"))], [])
        self.assertLessEqual(len({url.split("#")[0] for url in self.browser.requests} - {"about:blank"}), 1)
        self.assertEqual(self.browser.complaints, [])

    def open(self, tab="summary", *args, width=1300):
        path = self.work / "page.html"
        done = run("--quiet", "--html", path, *(args or (self.records, ELF64)))
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.browser.open(path, f"#{tab}", width=width)

    def two_runs(self, tab="compare"):
        more = samples(64, ELF64) + [records.pack(64, self.pcs["spin"], TYPE=4, TKBR=1, TOTAL=7)] * 81
        after = self.file("after", records.whole(64, more, name="after"))
        self.open(tab, "--diff", self.records, ELF64, after, ELF64)

    def text(self):
        return " ".join(self.browser.ask(TEXT).split())

    def frames(self):
        """By name, when they have come to rest"""
        before = None
        while before != (now := self.browser.ask(FRAMES)):
            before = now
            self.browser.ask("new Promise(done => setTimeout(done, 120))")
        return {each["name"]: each for each in now}

    def choose_function(self, name):
        options = "[...document.getElementById('function').options]"
        self.browser.choose("function", self.browser.ask(
            f"{options}.find(option => option.text.endsWith(' {name}')).value"))

    def rows(self):
        return self.browser.ask(ROWS)


class Summary(Page):
    def test_totals(self):
        self.open()
        said = self.text()
        for text in ("19 samples of instructions", "1 of 1,000 decoded instructions", "0 samples lost",
                     f"{wilson(9.5, 19)} points error of a share of 50 %",
                     f"47.37 % {wilson(9, 19)} spin", f"31.58 % {wilson(6, 19)} sum",
                     "flushed 1 of 19 (5.26 %)", "mispredicted control transfers 2 of 9 (22.22 %)",
                     "L1D misses 2 of 7 (28.57 %)", "mean cycles: total 13.1"):
            self.assertIn(text, said)

    def test_lost_and_left_out(self):
        self.records = self.file("lost", records.whole(64, samples(64, ELF64), lost=57, modes=3))
        self.open()
        self.assertIn("Incomplete: the log was full: 57 samples lost", self.text())
        self.assertIn("U, S modes that were sampled", self.text())

    def test_names_are_text(self):
        self.records = self.file("named", records.whole(64, samples(64, ELF64), name="<b>&</script>"))
        self.open()
        self.assertIn("<b>&</script>: instructions", self.text())
        self.assertEqual(self.browser.ask("document.title"), "<b>&</script>: instructions")


    def test_slots(self):
        counts = self.work / "counts"
        counts.write_text("1,200 TOPDOWN.SLOTS\n600 TOPDOWN.RETIRING.SLOTS\n300 TOPDOWN.FRONTEND_BOUND.SLOTS\n"
                          "150 TOPDOWN.BACKEND_BOUND.SLOTS\n100 TOPDOWN.BAD_SPECULATION.SLOTS\n", encoding="utf-8")
        self.open("summary", "--counts", counts, self.records, ELF64)
        rows = self.browser.ask("[...document.querySelectorAll('#slots tr')].map(row => [...row.children]"
                                ".map(cell => cell.innerText).filter(text => text))")
        self.assertEqual([row[:2] for row in rows], [["50.00 %", "600"], ["25.00 %", "300"], ["12.50 %", "150"],
                                                     ["8.33 %", "100"], ["4.17 %", "50"]])
        widths = self.browser.ask("[...document.querySelectorAll('#slots .slot')]"
                                  ".map(bar => bar.getBoundingClientRect().width)")
        self.assertAlmostEqual(widths[0], 2 * widths[1], delta=0.1)
        self.open()
        self.assertFalse(self.browser.ask("Boolean(document.getElementById('slots'))"))


class Flame(Page):
    def test_widths(self):
        self.open("flame")
        found = self.frames()
        self.assertEqual(set(found), {"all", "sum", "twice", "spin", "[unknown]"})
        whole = found["all"]["right"] - found["all"]["left"]
        self.assertGreater(whole, 1200)
        for name, n in (("sum", 9), ("twice", 3), ("spin", 9), ("[unknown]", 1)):
            self.assertAlmostEqual(found[name]["right"] - found[name]["left"], whole * n / 19, delta=1)
        self.assertLess(found["twice"]["top"], found["sum"]["top"])
        self.assertGreaterEqual(found["twice"]["left"], found["sum"]["left"] - 0.1)
        self.assertLessEqual(found["twice"]["right"], found["sum"]["right"] + 0.1)

    def test_zoom_by_click(self):
        self.open("flame")
        whole = self.frames()["all"]["right"]
        self.browser.click(frame("sum"))
        found = self.frames()
        self.assertNotIn("spin", found)
        self.assertAlmostEqual(found["sum"]["right"], whole, delta=1)
        self.browser.click("document.getElementById('reset')")
        self.assertIn("spin", self.frames())

    def test_inverted(self):
        self.open("flame")
        self.browser.click("document.getElementById('inverted')")
        found = self.browser.ask(FRAMES)
        tops = {name: sorted(each["top"] for each in found if each["name"] == name) for name in ("all", "sum", "twice")}
        self.assertLess(tops["all"][0], tops["twice"][0])
        self.assertEqual(tops["twice"], tops["sum"][:1])  # both innermost somewhere,
        self.assertEqual(len(tops["sum"]), 2)  # and sum below twice, which is inlined into it

    def test_callers(self):
        stacks = self.work / "stacks"
        stacks.write_text("main;spin 100\nmain;sum;twice 300\n", encoding="utf-8")
        self.open("flame", "--stacks", stacks, self.records, ELF64)
        found = self.frames()
        self.assertEqual(set(found), {"all", "main", "sum", "twice", "spin"})
        whole = found["all"]["right"] - found["all"]["left"]
        self.assertAlmostEqual(found["twice"]["right"] - found["twice"]["left"], whole * 3 / 4, delta=1)
        self.assertLess(found["twice"]["top"], found["sum"]["top"])
        self.browser.click("document.getElementById('callers')")
        self.assertEqual(set(self.frames()), {"all", "sum", "twice", "spin", "[unknown]"})

    def test_lines(self):
        self.open("flame")
        self.browser.click("document.getElementById('lines')")
        self.assertIn(f"program.c:{line('twice')}", self.frames())

    def test_search(self):
        self.open("flame")
        plain = self.frames()["sum"]["colour"]
        self.browser.press("/")
        self.browser.type("SU")
        self.assertEqual(self.browser.ask("document.getElementById('found').innerText"), "1 found, 47.37 % of all")
        self.assertNotEqual(self.frames()["sum"]["colour"], plain)
        self.browser.press("Escape")
        self.assertEqual(self.frames()["sum"]["colour"], plain)

    def test_keys(self):
        self.open("flame")
        self.browser.ask("document.getElementById('flame').focus()")
        self.browser.press("ArrowUp")  # of two as wide the first by name
        self.assertTrue(self.frames()["spin"]["marked"])
        self.assertIn(f"spin: 9 samples, 47.37 % {wilson(9, 19)}", self.text())
        self.browser.press("ArrowRight")
        self.assertTrue(self.frames()["sum"]["marked"])
        self.browser.press("ArrowUp")
        self.assertIn("twice: 3 samples", self.text())
        self.browser.press("Enter")
        self.assertNotIn("spin", self.frames())
        self.browser.press("Escape")
        self.assertIn("spin", self.frames())

    def test_weight(self):
        self.open("flame")
        self.browser.choose("metric", "stall")
        found = self.frames()
        share = (found["sum"]["right"] - found["sum"]["left"]) / (found["all"]["right"] - found["all"]["left"])
        self.assertAlmostEqual(share, 83 / 107, delta=0.01)

    def test_width_of_the_window(self):
        for width in (400, 900, 2000):
            self.open("flame", width=width)
            self.assertAlmostEqual(self.frames()["all"]["right"], width - 14, delta=2)
        self.browser.size(600)
        self.browser.until("document.querySelector('#flame svg').getBoundingClientRect().right <= 600")


class Table(Page):
    def test_sort(self):
        self.open("table")
        names = [row[-1] for row in self.rows()]
        self.assertEqual(names, ["spin", "sum", "twice", "[unknown]"])
        self.assertEqual(self.rows()[1][:6], ["6", "31.58 %", wilson(6, 19), "74.77 %", "26.7", "13.3"])
        self.browser.click("document.getElementById('sort-total')")
        self.assertEqual([row[-1] for row in self.rows()], ["sum", "twice", "spin", "[unknown]"])
        self.assertEqual(self.browser.ask("document.getElementById('sort-total').closest('th').ariaSort"), "descending")
        self.browser.press("Enter")  # the heading has the focus
        self.assertEqual([row[-1] for row in self.rows()], ["[unknown]", "spin", "twice", "sum"])
        self.browser.click("document.getElementById('sort-l1d')")
        self.assertEqual([row[-1] for row in self.rows()][:2], ["sum", "[unknown]"])  # the others have no accesses

    def test_search(self):
        self.open("table")
        self.browser.press("/")
        self.browser.type("tw")
        self.assertEqual([row[-1] for row in self.rows()], ["twice"])

    def test_lines_and_instructions(self):
        self.open("table")
        self.browser.choose("rows", "lines")
        self.assertIn(f"program.c:{line('sum')}", [row[-1] for row in self.rows()])
        self.browser.choose("rows", "instructions")
        self.assertIn(f"{UNKNOWN_PC:#x} [unknown] ?:0", [row[-1] for row in self.rows()])

    def test_row_leads_to_the_code(self):
        self.open("table")
        self.browser.click("document.querySelectorAll('#view tbody tr')[1]")
        self.assertEqual(self.browser.ask("document.getElementById('tab-code').ariaSelected"), "true")
        self.assertIn("47.37 % sum", self.browser.ask("document.getElementById('function').selectedOptions[0].text"))


class Code(Page):
    def function(self, name):
        self.open("code")
        self.choose_function(name)

    def cells(self, row):
        return self.browser.ask(f"[...{row}.children].map(cell => cell.innerText)")

    def test_columns(self):
        self.function("sum")
        pc = f"document.querySelector('[data-pc=\"{self.pcs['sum']:x}\"]')"
        cells = self.cells(pc)
        self.assertEqual(cells[:5], ["31.58", "13.3", "26.7", "33.3 %", "16.7 %"])
        self.assertRegex(cells[-1], r"lw ")
        source = self.browser.ask("document.getElementById('source').innerText")
        self.assertIn("/* line: sum */", source)
        self.assertIn("/* line: twice */", source)

    def test_both_sides_are_marked(self):
        self.function("spin")
        self.browser.point(f"document.querySelector('[data-pc=\"{self.pcs['spin']:x}\"] td.name')")
        marked = self.browser.ask("[...document.querySelectorAll('#source tr.same')].map(row => row.innerText)")
        self.assertEqual(len(marked), 1)
        self.assertIn("/* line: spin */", marked[0])

    def test_keys_move(self):
        self.function("spin")
        self.browser.click(f"document.querySelector('[data-pc=\"{self.pcs['spin']:x}\"] td.name')")
        self.browser.press("ArrowDown")
        self.assertNotEqual(self.browser.ask("document.activeElement.dataset.pc"), f"{self.pcs['spin']:x}")
        self.browser.press("ArrowUp")
        self.assertEqual(self.browser.ask("document.activeElement.dataset.pc"), f"{self.pcs['spin']:x}")

    def test_without_objdump(self):
        self.open("code", "--objdump", "no-such-objdump", self.records, ELF64)
        self.assertIn("There is no disassembly in this page. no-such-objdump: No such file", self.text())

    def test_sides_lie_below_each_other_in_a_narrow_window(self):
        tops = "['source', 'instructions'].map(id => document.getElementById(id).getBoundingClientRect().top)"
        self.open("code")
        left, right = self.browser.ask(tops)
        self.assertEqual(left, right)
        self.browser.size(500)
        left, right = self.browser.ask(tops)
        self.assertLess(left, right)


class Charts(Page):
    """A chart's legend names the item under the mouse."""

    CANVAS = "[...document.querySelectorAll('.u-over')]"

    def legend(self, chart):
        rows = f"[...document.querySelectorAll('.u-legend')[{chart}].querySelectorAll('tr')]"
        texts = "row => [...row.children].map(cell => cell.innerText.trim()).join(': ')"
        return self.browser.ask(f"{rows}.map({texts}).join('; ')")

    def axis(self, chart):
        """The drawing, which differs when the axis does."""
        return self.browser.ask(f"document.querySelectorAll('canvas')[{chart}].toDataURL()")

    def test_timeline(self):
        self.open("timeline")
        self.assertEqual(self.browser.ask(f"{self.CANVAS}.length"), 3)
        self.browser.point(f"{self.CANVAS}[0]")
        said = self.legend(0)
        for name in ("spin", "sum", "twice"):
            self.assertRegex(said, rf"{name}: \d")

    def test_timeline_zooms_by_keys(self):
        self.open("timeline")
        chart = "document.querySelector('.plot [tabindex]')"
        whole = self.axis(0)
        self.browser.ask(f"{chart}.focus()")
        self.browser.press("+")
        zoomed = self.axis(0)
        self.assertNotEqual(zoomed, whole)
        self.browser.press("ArrowRight")
        self.assertNotEqual(self.axis(0), zoomed)
        self.browser.press("0")
        self.assertEqual(self.axis(0), whole)

    def test_memory(self):
        self.open("memory")
        said = self.text()
        # loads at 0x11200 and 0x11300; the store has no address
        self.assertIn("0x11000", said)
        self.browser.point(f"{self.CANVAS}[1]")
        self.assertRegex(self.legend(1), r"source: (none|L1|memory); of the accesses: \d+\.\d\d %")
        (row,) = self.browser.ask("[...document.querySelectorAll('#pages tbody tr')].map("
                                  "row => [...row.children].map(cell => cell.innerText))")
        self.assertEqual(row[:6], ["6", "85.71 %", "0.00 %", "33.33 %", "16.67 %", "14.7"])

    def test_latency(self):
        self.open("latency")
        self.assertIn("mean 26.7", self.choose("functions sum"))
        self.assertIn("mean 8.0, half at most 15, 99 % at most 15, longest 8", self.choose("functions twice"))
        self.browser.point(f"{self.CANVAS}[4]")
        self.assertRegex(self.legend(4), r"cycles: \d+–\d+; this run: \d+\.\d\d %")

    def choose(self, name):
        self.browser.choose("latency-of", name)
        return self.text()

    def test_overflows_have_no_latencies(self):
        overflows = [records.pack(64, self.pcs["sum"], HPM=1, time=n) for n in range(9)]
        path = self.file("overflows", records.whole(64, overflows))
        for tab, said in (("latency", "have no latencies"), ("memory", "No sample of this run"),
                          ("timeline", "Samples by function")):
            self.open(tab, path, ELF64)
            self.assertIn(said, self.text())


class Compare(Page):
    def test_two_runs(self):
        self.two_runs()
        rows = {row[-1]: row for row in self.rows()}
        self.assertEqual(rows["sum"][:6], ["31.58 %", "6.00 %", "−25.58", "25.58", "± 14.77", "yes"])
        self.assertEqual(rows["[unknown]"][5], "")
        self.assertEqual([row[-1] for row in self.rows()][:2], ["spin", "sum"])
        self.browser.click("document.getElementById('swap')")
        self.assertEqual({row[-1]: row for row in self.rows()}["sum"][2], "+25.58")

    def test_flame_graph_is_coloured_by_change(self):
        self.two_runs("flame")
        self.browser.until("document.getElementById('other').value === '0'")
        found = self.frames()
        red, _, blue = (int(n) for n in found["spin"]["colour"][4:-1].split(","))
        self.assertGreater(red, blue)
        red, _, blue = (int(n) for n in found["sum"]["colour"][4:-1].split(","))
        self.assertLess(red, blue)

    def test_choice_of_a_run(self):
        self.two_runs("summary")
        self.browser.choose("run", "0")
        self.assertEqual(self.browser.ask("document.getElementById('title').innerText"), "test: instructions")
        self.browser.choose("other", "-1")
        self.browser.press("8")
        self.assertIn("Choose the run to compare with", self.text())

    def test_causes_beside_interrupts(self):
        """Of four overflows of sum the interrupts came at spin."""
        data = [records.pack(64, self.pcs["sum"], HPM=1, time=n, adr1=self.pcs["spin"]) for n in range(4)]
        self.records = self.file("met", records.whole(64, data, name="met"))
        self.open("compare&run=0&other=1", "--interrupts", self.records, ELF64)
        rows = {row[-1]: row for row in self.rows()}
        self.assertEqual((rows["sum"][:2], rows["spin"][:2]), (["0.00 %", "100.00 %"], ["100.00 %", "0.00 %"]))
        self.assertIn("nothing of this is chance", self.text())
        self.browser.press("4")
        for name, cells in (("sum", ["100.00", ""]), ("spin", ["", "100.00"])):
            self.choose_function(name)
            row = f"document.querySelector('[data-pc=\"{self.pcs[name]:x}\"]')"
            self.assertEqual(self.browser.ask(f"[...{row}.children].map(cell => cell.innerText)")[:2], cells)
            source = self.browser.ask("[...document.querySelectorAll('#source tr')].map(row => row.innerText)")
            self.assertEqual(sum("100.00" in each for each in source), 1)

    def test_one_run(self):
        self.open("compare")
        self.assertIn("There is one run in this page", self.text())


class Everywhere(Page):
    def test_nothing_is_wider_than_the_window(self):
        self.open()
        for width in (400, 700, 1300, 2000):
            self.browser.size(width)
            for number, tab in enumerate(TABS, 1):
                self.browser.press(str(number))
                self.browser.ask("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
                wide = self.browser.ask("""[...document.querySelectorAll('body *')].filter(e => {
                  const box = e.getBoundingClientRect()
                  return box.width && box.right > document.documentElement.clientWidth + 1
                      && !e.closest('.scroll, .pane, #flame, dialog')
                }).map(e => e.outerHTML.slice(0, 80))""")
                self.assertEqual((width, tab, wide), (width, tab, []))

    def test_views_by_keys(self):
        self.open()
        for number, tab in enumerate(TABS, 1):
            self.browser.press(str(number))
            selected = self.browser.ask("document.querySelector('[role=tab][aria-selected=true]').id")
            self.assertEqual(selected, f"tab-{tab}")
            self.assertTrue(self.text())
        self.browser.press("ArrowLeft")
        self.assertEqual(self.browser.ask("document.activeElement.id"), "tab-latency")
        self.browser.press("?")
        self.assertTrue(self.browser.ask("document.getElementById('keys').open"))

    def test_odd_runs(self):
        """All samples left out, one sample, the ends of time, RV32: every view shows something, and no script fails."""
        far = (1 << 64) - 1
        cases = {
            "left out": (records.whole(64, [records.pack(64, self.pcs["spin"], TOTAL=1)] * 5, modes=1),
                         ["--firmware", ELF64], self.moved()),
            "one": (records.whole(64, [records.pack(64, self.pcs["sum"], TYPE=1, adr1=8, DSRC=15)]), [], ELF64),
            "time": (records.whole(64, [records.pack(64, pc, time=time, TYPE=2, adr1=far, HPM=time & 1)
                                        for pc, time in ((far - 1, far), (0, 0), (2, far // 2))]), [], ELF64),
            "rv32": (records.whole(32, samples(32, ELF32)), [], ELF32)}
        for name, (data, options, elf) in cases.items():
            self.open("summary", *options, self.file("odd", data), elf)
            for number, tab in enumerate(TABS, 1):
                self.browser.press(str(number))
                self.assertTrue(self.text(), (name, tab))
                self.assertEqual(self.browser.complaints, [], (name, tab))

    def moved(self):
        """The program elsewhere"""
        path = self.work / "moved.elf"
        subprocess.run([OBJCOPY, "--remove-section=.note.gnu.build-id", "--change-addresses=0x100000", ELF64, path],
                       check=True)
        return path

    def test_light_and_dark(self):
        back = "getComputedStyle(document.body).backgroundColor"
        self.open("timeline")
        light = self.browser.ask(back)
        self.browser.scheme("dark")
        self.browser.until(f"{back} !== '{light}'")
        for _ in range(2):  # light, dark: overrides the system's
            self.browser.press("t")
        self.browser.scheme("light")
        self.assertNotEqual(self.browser.ask(back), light)
        self.browser.press("t")
        self.assertEqual(self.browser.ask(back), light)

    def test_text_has_contrast(self):
        """At least 4.5 to 1 in both themes (WCAG 2.2, 1.4.3)"""
        self.open("table")
        for theme in ("light", "dark"):
            self.browser.scheme(theme)
            self.browser.until(f"document.documentElement.dataset.theme === '{theme}'")
            for colour in ("--text", "--weak", "--strong", "--good", "--bad"):
                for back in ("--back", "--panel"):
                    style = "getComputedStyle(document.documentElement)"
                    values = self.browser.ask(f"['{colour}', '{back}'].map(n => {style}.getPropertyValue(n).trim())")
                    self.assertGreaterEqual(contrast(*values), 4.5, (theme, colour, back))


def contrast(one, other):
    def luminance(text):
        parts = [int(text[at:at + 2], 16) / 255 for at in (1, 3, 5)]
        red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


if __name__ == "__main__":
    assert known(ELF64)
    unittest.main(argv=sys.argv[:1])
