"""A headless Chromium, driven by its debugging protocol over two pipes.

    with Browser() as browser:
        page = browser.open(path, width=390, dark=True)
        page.screenshot(image)

The messages are JSON with a 0 byte behind each. Nothing but Debian's package chromium is needed.
"""

import base64
import json
import os
import shutil
import subprocess
import tempfile


class BrowserError(Exception):
    pass


def find_chromium():
    """The path of Chromium; None if it is not installed."""
    return shutil.which("chromium") or shutil.which("chromium-browser")


class Browser:
    def __init__(self):
        self.profile = tempfile.mkdtemp(prefix="sculpt-browser-")
        to_browser, self.out = os.pipe()
        self.input, from_browser = os.pipe()

        def use_pipes():
            # The protocol wants the descriptors 3 and 4. First out of the way of each other.
            read, write = os.dup(to_browser), os.dup(from_browser)
            os.dup2(read, 3)
            os.dup2(write, 4)

        self.process = subprocess.Popen(
            [find_chromium(), "--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
             "--disable-dev-shm-usage", "--remote-debugging-pipe",
             "--host-resolver-rules=MAP * ~NOTFOUND", "--user-data-dir=" + self.profile, "about:blank"],
            preexec_fn=use_pipes, close_fds=False, stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_browser)
        os.close(from_browser)
        self.buffer = b""
        self.number = 0
        self.events = []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()
        os.close(self.out)
        os.close(self.input)
        shutil.rmtree(self.profile, ignore_errors=True)

    def receive(self):
        while b"\0" not in self.buffer:
            block = os.read(self.input, 1 << 20)
            if not block:
                raise BrowserError("chromium has ended")
            self.buffer += block
        message, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(message)

    def call(self, method, session=None, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        os.write(self.out, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.receive()
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise BrowserError(f"{method}: {answer['error']}")
                return answer["result"]
            self.events.append(answer)

    def wait_for(self, method, session):
        while True:
            for k, event in enumerate(self.events):
                if event.get("method") == method and event.get("sessionId") == session:
                    del self.events[:k + 1]
                    return
            self.events.append(self.receive())

    def open(self, path, width=1200, dark=False, script=True):
        """The page of a file, as a window of this width shows it."""
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        page = Page(self, session)
        page.call("Page.enable")
        page.call("Runtime.enable")
        page.call("Log.enable")
        page.call("Emulation.setDeviceMetricsOverride", width=width, height=900,
                  deviceScaleFactor=2 if width < 600 else 1, mobile=width < 600)
        page.set_media(dark=dark)
        page.call("Emulation.setScriptExecutionDisabled", value=not script)
        page.call("Page.navigate", url="file://" + os.path.abspath(path))
        self.wait_for("Page.loadEventFired", session)
        return page


class Page:
    def __init__(self, browser, session):
        self.browser = browser
        self.session = session

    def call(self, method, **parameters):
        return self.browser.call(method, self.session, **parameters)

    def set_media(self, dark=False, media=""):
        features = [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]
        self.call("Emulation.setEmulatedMedia", media=media, features=features)

    def run(self, script):
        """The value of a script, which may be a promise."""
        answer = self.call("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in answer:
            raise BrowserError(str(answer["exceptionDetails"])[:2000])
        return answer["result"].get("value")

    def screenshot(self, path, height=None):
        """The whole page; with `height` only its top."""
        size = self.call("Page.getLayoutMetrics")["cssContentSize"]
        clip = {"x": 0, "y": 0, "width": size["width"], "height": min(size["height"], height or 1e9), "scale": 1}
        data = self.call("Page.captureScreenshot", captureBeyondViewport=True, clip=clip)["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))

    def print_to(self, path):
        data = self.call("Page.printToPDF", printBackground=True, paperWidth=8.27, paperHeight=11.69)["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))

    def problems(self):
        """What the console of the page says: errors of scripts, refused loads."""
        self.run("0")
        texts = []
        for event in self.browser.events:
            if event.get("sessionId") != self.session:
                continue
            if event.get("method") in ("Runtime.exceptionThrown", "Log.entryAdded"):
                texts.append(json.dumps(event["params"])[:500])
        return texts
