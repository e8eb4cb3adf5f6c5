# SPDX-License-Identifier: Apache-2.0
"""Questions to a page in a browser (Chromium without a window), answered as JSON."""

import html
import json
import re
import subprocess

# The page in a frame, as wide as a window; when it is there, the answer takes the place of everything.
ASKING = """<!DOCTYPE html>
<meta charset="utf-8">
<iframe src="{page}" width="1300" height="900"></iframe>
<script>
  document.querySelector("iframe").onload = event => {{
    const view = event.target.contentWindow, page = view.document
    const said = document.createElement("pre")
    said.id = "said"
    said.textContent = JSON.stringify({question})
    document.body.replaceChildren(said)
  }}
</script>
"""


def ask(work, page, question):
    """The value of `question`, an expression of JavaScript over `page` (the document) and `view` (its window).

    The page's name ends in .html, which tells the browser its type. `work` is a folder for the browser's files.
    """
    asking = work / "asking.html"
    asking.write_text(ASKING.format(page=page.resolve().as_uri(), question=question), encoding="utf-8")
    done = subprocess.run(
        ["chromium", "--headless", "--disable-gpu", "--no-first-run", "--allow-file-access-from-files",
         "--no-sandbox",  # root has none, and the page is our own
         "--disable-dev-shm-usage", f"--user-data-dir={work / 'browser'}", "--virtual-time-budget=10000", "--dump-dom",
         asking.as_uri()],
        text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, check=True, timeout=60)
    said = re.search(r'<pre id="said">(.*?)</pre>', done.stdout, re.DOTALL)
    assert said, f"no answer:\n{done.stdout}\n{done.stderr}"
    return json.loads(html.unescape(said[1]))
