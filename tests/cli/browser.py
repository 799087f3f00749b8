"""A headless Chromium for tests, through chromedriver's WebDriver protocol and Python's standard library.

    with Browser(width=1200, height=900, dark=True) as browser:
        browser.open(path)
        browser.key("#canvas", "ArrowRight")

find() says why there is none, where one of the two programs is not installed.
"""
import base64
import json
import os
import pathlib
import shutil
import socket
import subprocess
import tempfile
import time
import urllib.error
import urllib.request

from patience import HANGS

KEYS = {"ArrowLeft": "\ue012", "ArrowUp": "\ue013", "ArrowRight": "\ue014", "ArrowDown": "\ue015", "Home": "\ue011",
        "End": "\ue010", "Escape": "\ue00c", "Tab": "\ue004", "Enter": "\ue007", "Shift": "\ue008", "Control": "\ue009"}
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"


def missing():
    """Why no browser can be had, or None."""
    for name in ("chromium", "chromedriver"):
        if shutil.which(name) is None:
            return f"{name} is not installed"
    return None


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Browser:
    def __init__(self, width=1280, height=900, dark=False, script=True):
        self.port = free_port()
        self.profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self.driver = subprocess.Popen(["chromedriver", f"--port={self.port}", "--log-level=SEVERE"],
                                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        arguments = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars",
                     "--disable-background-networking", "--no-first-run", f"--window-size={width},{height}",
                     f"--user-data-dir={self.profile.name}"]
        if dark:
            arguments.append("--blink-settings=preferredColorScheme=0")
        self.session = ""
        try:
            self.start(arguments)
            self.size(width, height, dark)
        except BaseException:
            self.close()
            raise

    def start(self, arguments):
        options = {"goog:chromeOptions": {"args": arguments, "binary": shutil.which("chromium")},
                   "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"}}
        for attempt in range(100):
            try:
                answer = self.call("POST", "/session", {"capabilities": {"alwaysMatch": options}})
                self.session = "/session/" + answer["sessionId"]
                return
            except (ConnectionError, urllib.error.URLError) as error:
                if isinstance(error, urllib.error.HTTPError) or attempt == 99:
                    raise
                time.sleep(0.1)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        try:
            if self.session:
                self.call("DELETE", self.session)
        finally:
            self.driver.terminate()
            self.driver.wait()
            self.profile.cleanup()

    def call(self, method, path, body=None):
        data = None if method != "POST" else json.dumps(body or {}).encode()
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}{path}", data, {"Content-Type": "application/json"},
                                         method=method)
        try:
            with urllib.request.urlopen(request, timeout=HANGS) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise RuntimeError(error.read().decode()) from error

    def devtools(self, command, **parameters):
        return self.call("POST", self.session + "/goog/cdp/execute", {"cmd": command, "params": parameters})

    def size(self, width, height, dark=False):
        self.devtools("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.devtools("Emulation.setEmulatedMedia",
                      features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])

    def open(self, path):
        self.call("POST", self.session + "/url", {"url": pathlib.Path(path).resolve().as_uri()})

    def run(self, script, *arguments):
        """The value of a function's body in the page."""
        return self.call("POST", self.session + "/execute/sync", {"script": script, "args": list(arguments)})

    def text(self, selector):
        return self.run("return document.querySelector(arguments[0]).textContent", selector)

    def wait(self, script, what, seconds=HANGS):
        """Until the body of a function gives something true; returns that."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            value = self.run(script)
            if value:
                return value
            time.sleep(0.02)
        raise AssertionError("waited for " + what)

    def element(self, selector):
        found = self.call("POST", self.session + "/element", {"using": "css selector", "value": selector})
        return found[ELEMENT]

    def enter_frame(self, selector):
        """What follows, but for the mouse, is of the page in this frame."""
        self.call("POST", self.session + "/frame", {"id": {ELEMENT: self.element(selector)}})

    def click(self, selector, x=None, y=None):
        """In the middle, or at a place of the element, after it has come into view."""
        self.run("document.querySelector(arguments[0]).scrollIntoView({block: 'center'})", selector)
        box = self.run("const r = document.querySelector(arguments[0]).getBoundingClientRect(); return [r.x, r.y, r.width, r.height]",
                       selector)
        at = {"x": round(box[0] + (box[2] / 2 if x is None else x)), "y": round(box[1] + (box[3] / 2 if y is None else y))}
        self.mouse(at)

    def mouse(self, at, kinds=("mouseMoved", "mousePressed", "mouseReleased")):
        for kind in kinds:
            self.devtools("Input.dispatchMouseEvent", type=kind, button="left", clickCount=1, **at)

    def drag(self, selector, x, y, to_x, to_y):
        left, top = self.run("const r = document.querySelector(arguments[0]).getBoundingClientRect(); return [r.x, r.y]", selector)
        self.mouse({"x": left + x, "y": top + y}, ("mouseMoved", "mousePressed"))
        for step in range(1, 6):
            at = {"x": left + x + (to_x - x) * step / 5, "y": top + y + (to_y - y) * step / 5, "buttons": 1}
            self.mouse(at, ("mouseMoved",))
        self.mouse({"x": left + to_x, "y": top + to_y}, ("mouseReleased",))

    def wheel(self, selector, x, y, down=0, sideways=0, control=False):
        box = self.run("const r = document.querySelector(arguments[0]).getBoundingClientRect(); return [r.x, r.y]", selector)
        self.devtools("Input.dispatchMouseEvent", type="mouseWheel", x=box[0] + x, y=box[1] + y, deltaX=sideways, deltaY=down,
                      modifiers=2 if control else 0)

    def key(self, selector, *keys):
        """Keys for an element, such as "ArrowRight", "n"."""
        text = "".join(KEYS.get(key, key) for key in keys)
        self.call("POST", f"{self.session}/element/{self.element(selector)}/value", {"text": text})

    def press(self, key):
        """For what has the focus."""
        text = KEYS.get(key, key)
        self.call("POST", self.session + "/actions", {"actions": [{"type": "key", "id": "keys", "actions": [
            {"type": "keyDown", "value": text}, {"type": "keyUp", "value": text}]}]})

    def screenshot(self, path, whole=False):
        if whole:
            answer = self.devtools("Page.captureScreenshot", format="png", captureBeyondViewport=True)
            picture = answer["data"]
        else:
            picture = self.call("GET", self.session + "/screenshot")
        pathlib.Path(path).write_bytes(base64.b64decode(picture))

    def messages(self):
        """What the page has written to its console since the last call, errors of scripts among it."""
        return [f"{entry['level']}: {entry['message']}"
                for entry in self.call("POST", self.session + "/se/log", {"type": "browser"})]

    def requests(self):
        """Addresses that the page has asked for since the last call."""
        found = []
        for entry in self.call("POST", self.session + "/se/log", {"type": "performance"}):
            message = json.loads(entry["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                found.append(message["params"]["request"]["url"])
        return found


if os.environ.get("XDG_RUNTIME_DIR") is None:
    os.environ["XDG_RUNTIME_DIR"] = tempfile.gettempdir()
