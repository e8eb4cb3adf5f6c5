# SPDX-License-Identifier: Apache-2.0
"""A page in Chromium without a window, used as a reader does: real keys, clicks and sizes, by the DevTools protocol on
its pipe."""

import base64
import json
import os
import select
import subprocess
import time

KEYS = {"Enter": 13, "Escape": 27, "Tab": 9, "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40}


class Browser:
    """One page. `work` is a folder for the browser's files; network requests are refused, and listed."""

    def __init__(self, work):
        to_browser, self.write_end = os.pipe()
        self.read_end, from_browser = os.pipe()

        def at_3_and_4():
            # Both out of the way first: either may be 3 or 4.
            high = os.dup2(to_browser, 100), os.dup2(from_browser, 101)
            os.dup2(high[0], 3)
            os.dup2(high[1], 4)

        self.process = subprocess.Popen(
            ["chromium", "--headless=new", "--disable-gpu", "--no-first-run", "--disable-dev-shm-usage",
             "--no-sandbox",  # root has none, and the page is our own
             "--remote-debugging-pipe", f"--user-data-dir={work / 'browser'}", "about:blank"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            close_fds=False, preexec_fn=at_3_and_4)
        os.close(to_browser)
        os.close(from_browser)
        self.buffer, self.number, self.session, self.requests, self.complaints = b"", 0, None, [], []
        (target,) = [each for each in self.call("Target.getTargets")["targetInfos"] if each["type"] == "page"]
        self.session = self.call("Target.attachToTarget", targetId=target["targetId"], flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.call(domain + ".enable")

    def close(self):
        self.session = None
        try:
            self.call("Browser.close")
        finally:
            os.close(self.write_end)
            os.close(self.read_end)
            self.process.wait(timeout=20)

    def receive(self, seconds):
        """The next message; events that matter are kept."""
        end = time.monotonic() + seconds
        while b"\0" not in self.buffer:
            assert select.select([self.read_end], [], [], max(0, end - time.monotonic()))[0], "no answer of the browser"
            part = os.read(self.read_end, 1 << 16)
            assert part, "the browser ended"
            self.buffer += part
        text, _, self.buffer = self.buffer.partition(b"\0")
        message = json.loads(text)
        what = message.get("params", {})
        if message.get("method") == "Network.requestWillBeSent":
            self.requests.append(what["request"]["url"])
        elif message.get("method") in ("Runtime.exceptionThrown", "Log.entryAdded"):
            self.complaints.append(what)
        return message

    def call(self, method, **params):
        self.number += 1
        message = {"id": self.number, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.write_end, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.receive(60)
            if answer.get("id") == self.number:
                assert "error" not in answer, answer
                return answer["result"]

    def open(self, page, address="", width=1300, height=900):
        """Open a file and wait until it says that it is ready."""
        self.size(width, height)
        self.call("Page.navigate", url="about:blank")
        self.call("Page.navigate", url=page.resolve().as_uri() + address)
        self.until("document.documentElement?.dataset.ready === 'yes'")

    def size(self, width, height=900):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def ask(self, question):
        """The value of an expression of JavaScript."""
        answer = self.call("Runtime.evaluate", expression=question, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return answer["result"].get("value")

    def until(self, question, seconds=20):
        """Wait for an expression to be true, and return it."""
        end = time.monotonic() + seconds
        while not (value := self.ask(question)):
            assert time.monotonic() < end, f"never true: {question}"
            time.sleep(0.03)
        return value

    def press(self, key):
        code = KEYS.get(key, ord(key[0].upper()))
        text = {"Enter": "\r"}.get(key, key if len(key) == 1 else "")
        shared = {"key": key, "windowsVirtualKeyCode": code}
        self.call("Input.dispatchKeyEvent", type="keyDown", text=text, **shared)
        self.call("Input.dispatchKeyEvent", type="keyUp", **shared)

    def type(self, text):
        self.call("Input.insertText", text=text)

    def where(self, element):
        """The middle of an element, an expression of JavaScript; scrolled to where it can be seen. Waits until the
        element no longer moves and nothing covers it: a slow machine still draws what a reader would wait for."""
        look = (f"(() => {{ const e = {element}; e.scrollIntoView({{block: 'center'}});"
                "const b = e.getBoundingClientRect(), x = b.x + b.width / 2, y = b.y + b.height / 2,"
                "t = document.elementFromPoint(x, y); return t && (e.contains(t) || t.contains(e)) && [x, y] })()")
        last = self.until(look)
        while (now := self.until(look)) != last:
            last = now
            time.sleep(0.05)
        return now

    def point(self, element):
        x, y = self.where(element)
        self.call("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)

    def click(self, element):
        x, y = self.where(element)
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def choose(self, name, value):
        """Choose an option of the <select> with this id."""
        self.ask(f"(() => {{ const e = document.getElementById('{name}'); e.value = '{value}';"
                 "e.dispatchEvent(new Event('change')) })()")

    def scheme(self, name):
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": name}])

    def picture(self, path):
        path.write_bytes(base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"]))
