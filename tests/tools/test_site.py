#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The documentation's site, as a reader uses it in Chromium: search, dark mode, contents, widths.

    test_site.py BUILD     makes the site first
"""

import pathlib
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.dont_write_bytecode = True
sys.path.insert(0, str(HERE / "profile"))
from browser import Browser  # noqa: E402

BUILD = pathlib.Path(sys.argv.pop(1)).resolve()


class Site(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        subprocess.run([ROOT / "scripts" / "setup", "--with", "docs"], check=True)
        subprocess.run([sys.executable, ROOT / "scripts" / "docs.py", "--build", BUILD], check=True)
        cls.work = tempfile.TemporaryDirectory(prefix="tally-site-")
        cls.browser = Browser(pathlib.Path(cls.work.name))

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()
        cls.work.cleanup()

    def open(self, name, width=1300):
        b = self.browser
        b.size(width)
        b.call("Page.navigate", url="about:blank")
        b.until("document.readyState === 'complete'")
        b.call("Page.navigate", url=(BUILD / "site" / name).as_uri())
        b.until("document.readyState === 'complete' && !!document.querySelector('h1')")
        return b

    def test_search(self):
        b = self.open("index.html")
        b.until("!!document.querySelector('.md-search__input')")
        b.click("document.querySelector('.md-search__input')")
        b.type("scountovf")
        b.until("document.querySelectorAll('.md-search-result__item').length > 2", 60)
        b.click("document.querySelector('.md-search-result__link')")
        b.until("!location.pathname.endsWith('index.html') && document.body?.innerText.includes('scountovf')", 60)

    def test_dark(self):
        b = self.browser
        for scheme, name in (("dark", "slate"), ("light", "default")):
            b.scheme(scheme)
            self.open("pmu.html")
            b.until(f"document.body.dataset.mdColorScheme === '{name}'")
            colour = b.ask("getComputedStyle(document.body).backgroundColor.match(/\\d+/g).slice(0, 3).map(Number)")
            self.assertEqual(max(colour) < 90, scheme == "dark", colour)

    def test_widths(self):
        for name in ("index.html", "reference.html", "compare.html"):
            for width in (400, 1000, 2000):
                b = self.open(name, width)
                self.assertLessEqual(b.ask("document.documentElement.scrollWidth"), width, f"{name} at {width}")

    def test_contents(self):
        b = self.open("sampling.html")
        self.assertGreater(b.ask("document.querySelectorAll('.md-nav--secondary a').length"), 3)
        b = self.open("paths.html")
        links = b.ask("[...document.querySelectorAll('article a[href]')].map(a => a.getAttribute('href'))")
        self.assertGreater(len(links), 25)
        for link in links:
            name = link.partition("#")[0]
            self.assertTrue(not name or (BUILD / "site" / name).exists(), link)

    def test_registers(self):
        b = self.open("reference.html")
        self.assertGreater(b.ask("document.querySelectorAll('svg.register').length"), 40)

    def test_nothing_from_outside(self):
        self.open("index.html")
        outside = [url for url in self.browser.requests if not url.startswith(("file:", "data:", "blob:", "about:"))]
        self.assertEqual(outside, [])


if __name__ == "__main__":
    unittest.main()
