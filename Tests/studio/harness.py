"""What the checks of the studio share: a library, the command, and a browser's page."""

import base64
import contextlib
import functools
import http.client
import json
import os
import pathlib
import shutil
import socket
import struct
import subprocess
import sys
import time
import urllib.parse
import zlib

PHBATCH = str(pathlib.Path(sys.argv[1]).resolve())
# The shell is the same browser without its own windows; it takes less than half of the processor time.
CHROMIUM = next(filter(None, map(shutil.which, ["chromium-headless-shell", "chromium", "chromium-browser"])), None)
SCREENSHOTS = os.environ.get("PHBATCH_SCREENSHOTS")
# A folder whose files replace those of the page in the command, to try a change without a build.
PAGE = os.environ.get("PHBATCH_PAGE")
RECIPE = """{
  "identifier": "org.example.studio",
  "version": "1.0.0",
  "comment": "kept as it is",
  "filters": [
    {"filter": "exposure", "stops": 0.50},
    {"filter": "whiteBalance", "temperature": 6500},
    {"filter": "vignette", "intensity": -3e-1}
  ],
  "outputs": [{"name": "web", "format": "jpeg", "path": "out/{stem}.{ext}"}]
}
"""
# Chromium refuses connections from a page that it did not get from this machine.
OPTIONS = ["--disable-features=LocalNetworkAccessChecks,LocalNetworkAccessChecksWebSockets"] if PAGE else []
# One entry for each check.
RESULTS = []
# The name of the check that this process does.
SUBJECT = [""]


def expect(condition, text):
    RESULTS.append(bool(condition))
    if not condition:
        print(f"FAILED: {SUBJECT[0]}: {text}", file=sys.stderr)


class Library:
    """A folder with a few photos and a recipe."""

    def __init__(self, folder, count=6):
        self.folder = folder / "photos"
        self.folder.mkdir(parents=True)
        self.recipe = folder / "recipe.json"
        self.recipe.write_text(RECIPE)
        for number in range(count):
            name = f"photo-{number}.png" if number else "<img src=x onerror=alert(1)>.png"
            (self.folder / name).write_bytes(picture(number))

    def files(self, state=True):
        """All files; without `state`, those of the folder .phbatch are left out."""
        return {str(path): path.read_bytes() for path in self.folder.rglob("*")
                if path.is_file() and (state or ".phbatch" not in path.parts)}


@functools.cache
def picture(seed, width=900, height=600):
    """A PNG with gradients."""
    row = bytearray(bytes([(40 * seed + 60) % 256]) * (3 * width))
    row[::3] = bytes(x * 255 // width for x in range(width))

    def line(y):
        row[1::3] = bytes([y * 255 // height]) * width
        return bytes(row)

    return encoded(width, height, map(line, range(height)))


def png(width, height, colour):
    """A PNG; `colour` returns the three samples of a pixel, 0…255."""
    return encoded(width, height, (b"".join(bytes(colour(x, y)) for x in range(width)) for y in range(height)))


def encoded(width, height, rows):
    """A PNG of rows of three samples a pixel, made here so that no other program is needed."""
    def chunk(kind, data):
        body = kind + data
        return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(b"".join(b"\0" + row for row in rows), 1))
            + chunk(b"IEND", b""))


class Studio:
    def __init__(self, library, *options):
        self.process = subprocess.Popen(
            [PHBATCH, "studio", library.recipe, library.folder, "--no-browser", *options],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.address = self.process.stdout.readline().strip()
        if not self.address:
            sys.exit(f"the studio did not start: {self.process.stderr.read()}")
        self.port = int(self.address.split(":")[2].split("/")[0])
        self.key = self.address.split("#")[1]

    def end(self):
        if self.process.poll() is None:
            self.process.terminate()
        code = self.process.wait(20)
        self.process.stdout.close()
        self.process.stderr.close()
        return code

    def ask(self, method, path, body=None, **fields):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        usual = {"Authorization": f"Bearer {self.key}", "Host": f"127.0.0.1:{self.port}",
                 "Origin": f"http://127.0.0.1:{self.port}"}
        usual.update({name.replace("_", "-"): value for name, value in fields.items()})
        connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
        for name, value in usual.items():
            if value is not None:
                connection.putheader(name, value)
        data = json.dumps(body).encode() if body is not None else b""
        if data:
            connection.putheader("Content-Length", str(len(data)))
        connection.endheaders(data)
        response = connection.getresponse()
        content = response.read()
        headers = {name.lower(): value for name, value in response.getheaders()}
        connection.close()
        return response.status, content, headers

    def raw(self, data):
        with socket.create_connection(("127.0.0.1", self.port), timeout=10) as plain:
            plain.sendall(data)
            received = b""
            try:
                while more := plain.recv(65536):
                    received += more
            except (ConnectionError, TimeoutError):
                pass
        return received

    def upgrade(self, **fields):
        usual = {"Host": f"127.0.0.1:{self.port}", "Origin": f"http://127.0.0.1:{self.port}",
                 "Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13",
                 "Sec-WebSocket-Key": base64.b64encode(bytes(16)).decode()}
        usual.update({name.replace("_", "-"): value for name, value in fields.items()})
        lines = [f"{name}: {value}" for name, value in usual.items() if value is not None]
        plain = socket.create_connection(("127.0.0.1", self.port), timeout=10)
        plain.sendall("\r\n".join(["GET /api/live HTTP/1.1", *lines, "", ""]).encode())
        return plain, plain.recv(4096)


def frame(text):
    data = text.encode()
    size = bytes([0x80 | len(data)]) if len(data) < 126 else b"\xfe" + struct.pack(">H", len(data))
    return b"\x81" + size + bytes(4) + data


def wait_for(page, script, text, timeout=60_000):
    """Waits until a script is true; the page's own policy forbids that the browser polls it."""
    wait_until(page, lambda: page.evaluate(script), text, timeout)


def wait_until(page, condition, text, timeout=60_000):
    """Waits until a function of the test returns true, while the page goes on."""
    end = time.time() + timeout / 1000
    while not (found := condition()) and time.time() < end:
        page.wait_for_timeout(30)
    expect(found, text)


def workers(process):
    """The processes that a process has begun, and those that they have begun."""
    begun = []
    for task in pathlib.Path(f"/proc/{process}/task").glob("*/children"):
        with contextlib.suppress(OSError):  # It has ended.
            begun += map(int, task.read_text().split())
    return begun + [other for one in begun for other in workers(one)]


def send(number, processes):
    """Sends a signal to processes, of which some may have ended."""
    for process in processes:
        with contextlib.suppress(ProcessLookupError):
            os.kill(process, number)


def shoot(page, name):
    if SCREENSHOTS:
        pathlib.Path(SCREENSHOTS).mkdir(parents=True, exist_ok=True)
        page.screenshot(path=f"{SCREENSHOTS}/{name}.png")


def colour(page):
    """The colour in the middle of the picture."""
    return page.evaluate(
        "() => { const c = document.getElementById('picture');"
        " return [...c.getContext('2d').getImageData(c.width / 2, c.height / 2, 1, 1).data] }")


PAINTED = "document.getElementById('picture').width > 300"
# The picture of the present edit is shown, not that of a movement.
RESTED = "document.getElementById('picture').ariaBusy === 'false'"
STATE = "() => document.getElementById('unsaved').textContent"


def served(route):
    """Answers a request for a file of the page from the folder PAGE."""
    file = pathlib.Path(PAGE, urllib.parse.urlsplit(route.request.url).path.lstrip("/") or "index.html")
    if file.is_file():
        route.fulfill(path=file)
    else:
        route.fallback()


def watched(context, violations):
    page = context.new_page()
    if PAGE:
        page.route("**/*", served)
    page.on("console", lambda message: violations.append(message.text)
            if message.type in ("error", "warning") and "willReadFrequently" not in message.text
            else None)
    page.on("pageerror", lambda error: violations.append(str(error)))
    page.on("dialog", lambda dialog: dialog.accept())
    return page


def begin(browser, library, *options, width=1280, height=900):
    """Starts a studio and a browser's page for it; returns both, and the list of what the browser complains about."""
    studio = Studio(library, *options)
    violations = []
    page = watched(browser.new_context(viewport={"width": width, "height": height}), violations)
    return studio, page, violations


def finish(studio, page):
    page.context.close()
    studio.end()
