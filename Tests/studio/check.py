"""Uses the studio in a real browser, as a person and as an attacker: check.py PHBATCH.

Skipped, and said so, where there is no Chromium. Screenshots go to the folder that the environment
variable PHBATCH_SCREENSHOTS names.
"""

import base64
import concurrent.futures
import hashlib
import http.client
import json
import math
import os
import pathlib
import shutil
import socket
import statistics
import struct
import subprocess
import sys
import tempfile
import time

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import sync_playwright

PHBATCH = str(pathlib.Path(sys.argv[1]).resolve())
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
SCREENSHOTS = os.environ.get("PHBATCH_SCREENSHOTS")
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
FAILURES = []
COUNT = 0


def expect(condition, text):
    global COUNT
    COUNT += 1
    if not condition:
        FAILURES.append(text)
        print(f"FAILED: {text}", file=sys.stderr)


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

    def files(self):
        return {str(path): path.read_bytes() for path in self.folder.rglob("*") if path.is_file()}


def picture(seed, width=900, height=600):
    """A PNG with gradients, made here so that no other program is needed."""
    import zlib

    rows = b"".join(
        b"\0" + b"".join(
            bytes(((x * 255 // width), (y * 255 // height), (40 * seed + 60) % 256))
            for x in range(width))
        for y in range(height))

    def chunk(kind, data):
        body = kind + data
        return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows, 1))
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


def attacks(library):
    """What other web pages and programs may try."""
    studio = Studio(library)
    foreign = f"http://127.0.0.1:{studio.port + 1}"
    try:
        status, content, headers = studio.ask("GET", "/", Authorization=None)
        expect(status == 200 and b"phbatch studio" in content, "the page is served without a key")
        policy = headers.get("content-security-policy", "")
        expect("default-src 'none'" in policy and "unsafe" not in policy, "the policy is strict")
        expect(headers.get("x-content-type-options") == "nosniff", "types are not guessed")
        expect("access-control-allow-origin" not in headers, "no other origin may read")
        expect("set-cookie" not in headers, "there is no cookie")
        for path in ["/api/session", "/api/photos", "/api/photos/p0", "/api/photos/p0/thumb"]:
            expect(studio.ask("GET", path, Authorization=None)[0] == 401, f"{path} needs the key")
            wrong = "Bearer " + "0" * 64
            expect(studio.ask("GET", path, Authorization=wrong)[0] == 401, f"{path}: wrong key")
            expect(studio.ask("GET", path)[0] == 200, f"{path} is answered with the key")
        for host in ["evil.example", f"evil.example:{studio.port}", "127.0.0.1.evil.example", "192.168.0.1"]:
            expect(studio.ask("GET", "/", Host=host)[0] == 403, f"Host {host} is refused")
        for site in ["cross-site", "same-site"]:
            status = studio.ask("GET", "/api/session", Sec_Fetch_Site=site)[0]
            expect(status == 403, f"a request from {site} is refused")
        edit = {"label": "x", "operations": [{"set": "exposure.stops", "value": 3}]}
        for origin in [None, "null", foreign, "http://evil.example"]:
            status = studio.ask("POST", "/api/edit", edit, Origin=origin)[0]
            expect(status == 403, f"a write from the origin {origin} is refused")
            plain, answer = studio.upgrade(Origin=origin)
            plain.close()
            expect(b" 403 " in answer, f"a WebSocket from the origin {origin} is refused")
        for path in ["/../recipe.json", "/api/photos/..", "/api/photos/p0/../../x",
                     "/api/photos/%2e%2e", "/etc/passwd", "/api/photos/p99", "/api/photos/q1"]:
            status = studio.ask("GET", path)[0]
            expect(status in (400, 404), f"{path} leads nowhere: {status}")
        plain, answer = studio.upgrade()
        expect(b" 101 " in answer, "the page's own WebSocket is accepted")
        accept = base64.b64encode(hashlib.sha1(
            base64.b64encode(bytes(16)) + b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11").digest())
        expect(accept in answer, "its answer is that of RFC 6455")
        plain.sendall(frame(json.dumps({"token": "0" * 64})))
        expect(plain.recv(100) == b"", "a WebSocket without the key is closed")
        plain.close()
        for operation in [
                {"add": {"filter": "external", "command": ["sh", "-c", "touch /tmp/owned"]}},
                {"add": {"filter": "lut", "file": "/etc/passwd"}},
                {"set": "exposure.stops", "value": 1e9}, {"set": "nothing.stops", "value": 1},
                {"set": "exposure.unknown", "value": 1}]:
            body = {"label": "x", "operations": [operation]}
            status, content, _ = studio.ask("POST", "/api/edit", body)
            expect(status == 422 and json.loads(content)["message"],
                   f"{operation} is refused: {status}")
        for body in [[], {}, {"operations": []}, {"operations": [{"set": "x"}]}, "x"]:
            expect(studio.ask("POST", "/api/edit", body)[0] == 400, f"{body} is malformed")
        expect(b" 431 " in studio.raw(b"GET / HTTP/1.1\r\nHost: a\r\nX: " + b"x" * 40000),
               "a long head is refused")
        expect(b" 400 " in studio.raw(b"\x16\x03\x01 nonsense\r\n\r\n"), "TLS is refused")
        expect(b" 413 " in studio.raw(
            f"POST /api/edit HTTP/1.1\r\nHost: 127.0.0.1:{studio.port}\r\n"
            "Content-Length: 9000000\r\n\r\n".encode()), "a long body is refused")
        flood(studio)
        together(studio)
        listening = subprocess.run(["ss", "-Hltn"], capture_output=True, text=True).stdout
        mine = [line for line in listening.splitlines() if f":{studio.port} " in line]
        expect(all("127.0.0.1:" in line for line in mine), f"it listens on loopback only: {mine}")
        arguments = pathlib.Path(f"/proc/{studio.process.pid}/cmdline").read_bytes()
        expect(studio.key.encode() not in arguments, "the key is in no command line")
        expect(studio.ask("GET", "/api/session")[0] == 200, "the studio lives on after all that")
    finally:
        expect(studio.end() in (0, 143), "the studio ends by a signal")


def flood(studio):
    """10,000 requests for pictures at once: only the last one must be answered."""
    plain, _ = studio.upgrade()
    plain.sendall(frame(json.dumps({"hello": 1, "token": studio.key})))
    for number in range(10_000):
        show = {"number": number, "photo": "p1", "box": [300, 300], "moving": True,
                "set": {"exposure.stops": number / 5000 - 1}}
        plain.sendall(frame(json.dumps({"show": show})))
    received, end = b"", time.time() + 30
    while b'"number":9999' not in received and time.time() < end:
        received += plain.recv(65536)
    expect(b'"number":9999' in received, "the last of 10,000 requests is answered")
    pictures = received.count(b'"number":')
    expect(pictures < 5000, f"those before are skipped: {pictures} pictures")
    plain.close()


def together(studio):
    """Changes that arrive together are all made."""
    wanted = {f"contrast-{number}" for number in range(16)}

    def add(name):
        step = {"filter": "contrast", "id": name, "amount": 0.01}
        return studio.ask("POST", "/api/edit", {
            "label": "Add", "operations": [{"add": step, "place": 0}]})[0]

    with concurrent.futures.ThreadPoolExecutor(16) as pool:
        expect(set(pool.map(add, sorted(wanted))) == {200}, "sixteen changes at once are taken")
    edit = json.loads(studio.ask("GET", "/api/session")[1])["edit"]
    found = {step.get("id") for step in edit["filters"]}
    expect(wanted <= found, f"none of them is lost: {sorted(wanted - found)}")
    expect(edit["revision"] >= 16, "each has a number")


def wait_for(page, script, text, timeout=20_000):
    """Waits until a script is true; the page's own policy forbids that the browser polls it."""
    end = time.time() + timeout / 1000
    while not (found := page.evaluate(script)) and time.time() < end:
        page.wait_for_timeout(30)
    expect(found, text)


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
STATE = "() => document.getElementById('continues').textContent"


def watched(context, violations):
    page = context.new_page()
    page.on("console", lambda message: violations.append(message.text)
            if message.type in ("error", "warning") and "willReadFrequently" not in message.text
            else None)
    page.on("pageerror", lambda error: violations.append(str(error)))
    page.on("dialog", lambda dialog: dialog.accept())
    return page


def story(browser, library):
    """Open, drag, compare, undo, this photo only, next photo, Done."""
    before = library.files()
    studio = Studio(library)
    violations = []
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    page = watched(context, violations)
    try:
        page.goto(studio.address)
        wait_for(page, PAINTED, "the first photo is painted")
        expect("#" not in page.url and studio.key not in page.url, "the key leaves the address")
        expect(page.locator("img[src=x]").count() == 0, "a name with markup is text")
        expect(library.files() == before, "opening writes nothing")
        slider = page.locator("[data-setting=stops] input[type=range]")
        dark = colour(page)
        slider.focus()
        for _ in range(10):
            page.keyboard.press("Shift+ArrowRight")
        page.evaluate("() => document.activeElement.blur()")
        wait_for(page, "document.getElementById('undo').title.includes('Stops')",
                 "a movement is one change")
        wait_for(page, f"document.getElementById('continues').textContent.includes('not saved')",
                 "the page says that something is not saved")
        page.wait_for_timeout(500)
        bright = colour(page)
        expect(sum(bright) > sum(dark) + 60, f"the picture is brighter: {dark} {bright}")
        shoot(page, "studio")
        page.keyboard.press("Control+z")
        wait_for(page, "document.getElementById('undo').disabled", "undo takes the change back")
        wait_for(page, f"!({STATE})().includes('not saved')", "then nothing is unsaved")
        page.keyboard.press("Control+Shift+z")
        wait_for(page, "!document.getElementById('undo').disabled", "redo makes it again")
        page.keyboard.press("s")
        page.wait_for_timeout(500)
        expect(page.locator("#divider").is_visible(), "before and after have a divider")
        shoot(page, "split")
        page.keyboard.press("s")
        page.keyboard.press(".")
        wait_for(page, "document.getElementById('name').textContent === 'photo-1.png'",
                 "the next photo opens")
        page.locator("input[value=photo]").check(force=True)
        field = page.locator("[data-setting=stops] input[type=number]")
        field.fill("-1.25")
        field.press("Enter")
        wait_for(page, "document.querySelector('[data-setting=stops] .origin').textContent"
                 " === 'this photo'", "a setting can be the photo's own")
        expect(library.files() == before and library.recipe.read_text() == RECIPE,
               "nothing is written before Done")
        page.keyboard.press("Escape")
        page.keyboard.press("Control+c")
        page.keyboard.press(".")
        wait_for(page, "document.getElementById('name').textContent === 'photo-2.png'",
                 "and the next one")
        page.keyboard.press("Control+v")
        wait_for(page, "document.querySelector('[data-setting=stops] .origin').textContent"
                 " === 'this photo'", "own settings are pasted")
        page.keyboard.press("Control+Enter")
        wait_for(page, "document.body.textContent.includes('You can close this tab')",
                 "Done ends the page")
        expect(studio.process.wait(20) == 0, "Done ends the command")
        text = library.recipe.read_text()
        stops = text.split('"stops": ')[1].split("}")[0]
        expect(text == RECIPE.replace("0.50", stops) and float(stops) > 1,
               f"only the bytes of the value changed: {stops}")
        for name in ["photo-1.png", "photo-2.png"]:
            listed = subprocess.run(
                [PHBATCH, "adjust", library.folder / name, "--list"], capture_output=True, text=True)
            expect("exposure.stops = -1.25" in listed.stdout, f"{name} has its own setting")
        expect(not violations, f"the browser complains: {violations[:5]}")
    finally:
        context.close()
        studio.end()


def steps(browser, library):
    """Adds, moves and removes steps, crops and masks, all by keys; undo gives the recipe back."""
    studio = Studio(library)
    violations = []
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    page = watched(context, violations)

    def names():
        return page.evaluate(
            "() => [...document.querySelectorAll('#step-list .name')].map((e) => e.textContent)")

    try:
        page.goto(studio.address)
        wait_for(page, PAINTED, "the photo is painted")
        page.locator("#add").focus()
        page.keyboard.press("Enter")
        page.keyboard.type("clarity")
        page.keyboard.press("Enter")
        wait_for(page, "document.getElementById('controls-title').textContent === 'Clarity'",
                 "a step is added by typing its name")
        expect(names() == ["Exposure", "White balance", "Vignette", "Clarity"], f"last: {names()}")
        expect(page.locator("dialog").count() == 0, "the dialog is closed")
        page.get_by_label("Move up: clarity").press("Enter")
        wait_for(page, "document.querySelectorAll('#step-list .name')[2].textContent === 'Clarity'",
                 "a step moves up")
        page.get_by_label("Remove: clarity").press("Enter")
        wait_for(page, "document.querySelectorAll('#step-list .name').length === 3",
                 "a step is removed")
        page.get_by_role("button", name="Exposure", exact=True).press("Enter")
        page.get_by_label("Mask", exact=True).select_option("radial")
        radius = page.locator("circle[aria-label='Mask, radius']")
        radius.focus()
        page.keyboard.press("ArrowLeft")
        wait_for(page, "document.querySelectorAll('[data-setting=radius] input')[0].value < 0.6",
                 "a handle of a mask moves by keys")
        page.evaluate("() => document.activeElement.blur()")
        page.keyboard.press("c")
        page.get_by_role("button", name="Add", exact=True).press("Enter")
        corner = page.locator("circle[aria-label='Crop, lower right']")
        corner.wait_for()
        wait_for(page, "document.querySelector('#crop').getAttribute('aria-pressed') === 'true'",
                 "the crop has handles")
        corner.focus()
        for _ in range(3):
            page.keyboard.press("Shift+ArrowLeft")
            page.wait_for_timeout(150)
        wait_for(page, "[...document.querySelectorAll('[data-setting=width] input')]"
                 ".some((e) => e.value === '85%')", "a corner of the crop moves by keys")
        page.keyboard.press("Escape")
        wait_for(page, "document.getElementById('facts').textContent.startsWith('765 × 600')",
                 "the picture is cropped")
        shoot(page, "cropped")
        for _ in range(30):
            if page.locator("#undo").is_disabled():
                break
            page.keyboard.press("Control+z")
            page.wait_for_timeout(120)
        wait_for(page, f"!({STATE})().includes('not saved')", "undo takes everything back")
        expect(library.recipe.read_text() == RECIPE, "nothing was written")
        expect(not violations, f"the browser complains: {violations[:5]}")
    finally:
        context.close()
        studio.end()


def tools(browser, library):
    """Straightens by a line, and edits a curve by keys and by the pointer."""
    library.recipe.write_text(RECIPE.replace(
        '{"filter": "exposure"', '{"filter": "curves"},\n    {"filter": "exposure"'))
    studio = Studio(library)
    violations = []
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    page = watched(context, violations)

    def curve():
        return page.evaluate(
            "() => [...document.querySelectorAll('[data-setting=rgb] .handle')]"
            ".map((e) => e.getAttribute('aria-valuetext'))")

    try:
        page.goto(studio.address)
        wait_for(page, PAINTED, "the photo is painted")
        dark = colour(page)
        expect(curve() == ["0 becomes 0", "1 becomes 1"], f"a straight curve has two points: {curve()}")
        page.locator("[data-setting=rgb] .handle").first.focus()
        page.keyboard.press("Enter")
        wait_for(page, "document.querySelectorAll('[data-setting=rgb] .handle').length === 3",
                 "Enter adds a point behind the chosen one")
        page.wait_for_timeout(300)
        page.locator("[data-setting=rgb] .handle").nth(1).focus()
        page.keyboard.press("Shift+ArrowUp")
        page.keyboard.press("Shift+ArrowUp")
        wait_for(page, "document.getElementById('undo').title.includes('Rgb')", "it is a change")
        page.wait_for_timeout(1200)
        expect(curve()[1] == "0.5 becomes 0.7", f"arrows move a point: {curve()}")
        expect(page.evaluate("() => document.activeElement.getAttribute('aria-label')")
               == "Rgb, point 2", "the point keeps the focus")
        bright = colour(page)
        expect(sum(bright) > sum(dark) + 30, f"the picture follows: {dark} {bright}")
        shoot(page, "curve")
        page.keyboard.press("Delete")
        wait_for(page, "document.querySelectorAll('[data-setting=rgb] .handle').length === 2",
                 "Delete removes a point")
        page.wait_for_timeout(300)
        box = page.locator("[data-setting=rgb] .curve").bounding_box()
        page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        page.mouse.down()
        page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 4, steps=4)
        page.mouse.up()
        wait_for(page, "document.querySelectorAll('[data-setting=rgb] .handle').length === 3",
                 "dragging the curve adds a point")
        page.evaluate("() => document.activeElement.blur()")
        page.keyboard.press("l")
        page.get_by_role("button", name="Add", exact=True).press("Enter")
        wait_for(page, "document.getElementById('level').getAttribute('aria-pressed') === 'true'",
                 "L draws a line")
        expect(page.evaluate("() => document.activeElement.getAttribute('aria-label')") == "Angle",
               "keys have the slider of the angle")
        box = page.locator("#overlay").bounding_box()
        page.mouse.move(box["x"] + 100, box["y"] + 100)
        page.mouse.down()
        page.mouse.move(box["x"] + 300, box["y"] + 110, steps=4)
        page.mouse.up()
        # atan(10 / 200) is 2.86 degrees, and the line falls to the right.
        wait_for(page, "document.querySelector('[data-setting=angle] input[type=number]')?.value"
                 " === '-2.86'", "the photo is turned so that the line is level")
        expect(not violations, f"the browser complains: {violations[:5]}")
    finally:
        context.close()
        studio.end()


def loss(browser, library):
    """Cancel, a recipe that changes on disk, and another studio on the same recipe."""
    studio = Studio(library)
    context = browser.new_context()
    page = watched(context, [])
    original = library.recipe.read_text()
    try:
        page.goto(studio.address)
        wait_for(page, PAINTED, "the photo is painted")
        field = page.locator("[data-setting=stops] input[type=number]")
        field.fill("2")
        field.press("Enter")
        wait_for(page, "!document.getElementById('save').disabled", "there is something to save")
        library.recipe.write_text(original.replace("kept as it is", "edited elsewhere"))
        page.locator("#save").click()
        dialog = page.locator("dialog")
        dialog.wait_for()
        expect("changed by another program" in dialog.text_content(), "a foreign change is noticed")
        expect("edited elsewhere" in library.recipe.read_text(), "and not overwritten")
        dialog.get_by_text("Close").click()
        expect(field.input_value() == "2", "the edit is still there")
        library.recipe.write_text(original)
        page.locator("#cancel").click()
        dialog = page.locator("dialog")
        dialog.wait_for()
        expect("the changes of recipe.json" in dialog.text_content(), "Cancel names what is lost")
        page.keyboard.press("Escape")
        expect(page.locator("dialog").count() == 0 and studio.process.poll() is None,
               "Escape goes on editing")
        page.locator("#cancel").click()
        page.get_by_text("Lose the changes").click()
        expect(studio.process.wait(20) == 0, "Cancel ends the command")
        expect(library.recipe.read_text() == original, "and saves nothing")
    finally:
        context.close()
        studio.end()


def faults(browser, library):
    """Workers that die, a page that reloads, a second page, and a command that ends."""
    studio = Studio(library)
    context = browser.new_context()
    page = watched(context, [])
    try:
        page.goto(studio.address)
        wait_for(page, PAINTED, "the photo is painted")
        field = page.locator("[data-setting=stops] input[type=number]")
        field.fill("1.5")
        field.press("Enter")
        wait_for(page, "!document.getElementById('save').disabled", "there is something to save")
        page.wait_for_timeout(500)
        bright = colour(page)
        children = pathlib.Path(
            f"/proc/{studio.process.pid}/task/{studio.process.pid}/children").read_text().split()
        for child in children:
            os.kill(int(child), 9)
        field.fill("-2")
        field.press("Enter")
        page.wait_for_timeout(3000)
        dark = colour(page)
        expect(children and sum(dark) < sum(bright) - 60,
               f"killed workers are replaced: {bright} {dark}")
        page.reload()
        wait_for(page, PAINTED, "the page can be loaded again")
        expect(field.input_value() == "-2", "the edit survives it")
        other = watched(context, [])
        other.goto(studio.address)
        wait_for(other, PAINTED, "a second page opens")
        second = other.locator("[data-setting=stops] input[type=number]")
        expect(second.input_value() == "-2", "it shows the same edit")
        second.fill("0.25")
        second.press("Enter")
        wait_for(page, "document.querySelector('[data-setting=stops] input[type=number]').value"
                 " === '0.25'", "both pages show one edit")
        studio.process.kill()
        wait_for(page, "document.getElementById('message').textContent.includes('lost')",
                 "the page says that the command has ended")
        expect(library.recipe.read_text() == RECIPE, "nothing was written")
    finally:
        context.close()
        studio.end()


def run(browser, library):
    """Check and run: the renditions are those of the command."""
    studio = Studio(library)
    context = browser.new_context()
    page = watched(context, [])
    try:
        page.goto(studio.address)
        wait_for(page, "document.getElementById('run').textContent.startsWith('Run ')",
                 "the check counts the photos that are due")
        badges = "[...document.querySelectorAll('.cell .badge')].map((e) => e.textContent).join('')"
        wait_for(page, f"{badges} === '++++++'", "badges say that no photo is rendered")
        page.locator("#run").click()
        wait_for(page, "document.getElementById('run').textContent === 'Up to date'",
                 "the run ends", 60_000)
        wait_for(page, f"{badges} === '✓✓✓✓✓✓'", "badges say that all are rendered")
        names = page.evaluate("[...document.querySelectorAll('.cell')].map((e) => e.ariaLabel)")
        expect(all(name.endswith(", rendered") for name in names), f"so do their names: {names}")
        expect(len(list((library.folder / "out").glob("*.jpg"))) == 6, "all photos are rendered")
        clean = subprocess.run([PHBATCH, "run", "--check", library.recipe, library.folder],
                               capture_output=True)
        expect(clean.returncode == 0, "the command has nothing to do afterwards")
    finally:
        context.close()
        studio.end()


def access(browser, library):
    """Names, colours and sizes for everybody."""
    studio = Studio(library, "--read-only")
    try:
        for scheme in ["dark", "light"]:
            context = browser.new_context(color_scheme=scheme, reduced_motion="reduce")
            page = watched(context, [])
            page.goto(studio.address)
            wait_for(page, PAINTED, f"the photo is painted ({scheme})")
            shoot(page, scheme)
            found = Axe().run(page).response["violations"]
            expect(not found, f"axe, {scheme}: " + "; ".join(
                f"{one['id']}: {one['nodes'][0]['html'][:90]}" for one in found))
            context.close()
        context = browser.new_context(viewport={"width": 380, "height": 800})
        page = watched(context, [])
        page.goto(studio.address)
        wait_for(page, PAINTED, "the photo is painted on a narrow screen")
        wide = page.evaluate("() => document.documentElement.scrollWidth")
        expect(wide <= 380, f"nothing is cut off at 380 pixels: {wide}")
        shoot(page, "narrow")
        context.close()
    finally:
        studio.end()


def colour_difference(one, other):
    """The CIEDE2000 difference of two colours of sRGB, 0…255 (Sharma, Wu, Dalal, 2005)."""
    def lab(samples):
        light = [v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4
                 for v in (sample / 255 for sample in samples)]
        rows = [(0.4124, 0.3576, 0.1805, 0.9505), (0.2126, 0.7152, 0.0722, 1),
                (0.0193, 0.1192, 0.9505, 1.089)]
        x, y, z = ((t ** (1 / 3) if t > 216 / 24389 else (24389 / 27 * t + 16) / 116)
                   for t in (sum(a * v for a, v in zip(row, light)) / row[3] for row in rows))
        return 116 * y - 16, 500 * (x - y), 200 * (y - z)

    (l1, a1, b1), (l2, a2, b2) = lab(one), lab(other)
    chroma = (math.hypot(a1, b1) + math.hypot(a2, b2)) / 2
    g = 0.5 * (1 - math.sqrt(chroma ** 7 / (chroma ** 7 + 25 ** 7)))
    a1, a2 = a1 * (1 + g), a2 * (1 + g)
    c1, c2 = math.hypot(a1, b1), math.hypot(a2, b2)
    h1, h2 = math.degrees(math.atan2(b1, a1)) % 360, math.degrees(math.atan2(b2, a2)) % 360
    turn = h2 - h1
    if c1 * c2 == 0:
        turn = 0
    elif abs(turn) > 180:
        turn -= math.copysign(360, turn)
    mean = h1 + h2
    if c1 * c2 != 0:
        mean = mean / 2 if abs(h1 - h2) <= 180 else (mean + (360 if mean < 360 else -360)) / 2
    l, c = (l1 + l2) / 2, (c1 + c2) / 2

    def cos(degrees):
        return math.cos(math.radians(degrees))

    t = (1 - 0.17 * cos(mean - 30) + 0.24 * cos(2 * mean) + 0.32 * cos(3 * mean + 6)
         - 0.2 * cos(4 * mean - 63))
    sl = 1 + 0.015 * (l - 50) ** 2 / math.sqrt(20 + (l - 50) ** 2)
    sc, sh = 1 + 0.045 * c, 1 + 0.015 * c * t
    rt = (-2 * math.sqrt(c ** 7 / (c ** 7 + 25 ** 7))
          * math.sin(math.radians(60 * math.exp(-(((mean - 275) / 25) ** 2)))))
    dl, dc = (l2 - l1) / sl, (c2 - c1) / sc
    dh = 2 * math.sqrt(c1 * c2) * math.sin(math.radians(turn / 2)) / sh
    return math.sqrt(dl ** 2 + dc ** 2 + dh ** 2 + rt * dc * dh)


CANVAS = """() => {
  const canvas = document.getElementById('picture');
  const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
  let text = '';
  for (let at = 0; at < data.length; at += 8192) text += String.fromCharCode(...data.subarray(at, at + 8192));
  return [canvas.width, canvas.height, btoa(text)];
}"""
DECODE = """async ([file, left, top, width, height, wide, high]) => {
  const bytes = Uint8Array.from(atob(file), (c) => c.charCodeAt(0));
  const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }), left, top,
    width, height, { resizeWidth: wide, resizeHeight: high, resizeQuality: 'high' });
  const canvas = new OffscreenCanvas(wide, high);
  canvas.getContext('2d').drawImage(bitmap, 0, 0);
  const { data } = canvas.getContext('2d').getImageData(0, 0, wide, high);
  let text = '';
  for (let at = 0; at < data.length; at += 8192) text += String.fromCharCode(...data.subarray(at, at + 8192));
  return btoa(text);
}"""


def law(browser, library):
    """At 1:1 the page has the pixels of the rendition; the whole photo has nearly its colours."""
    library.recipe.write_text(RECIPE.replace('"jpeg"', '"png"'))
    subprocess.run([PHBATCH, "run", library.recipe, library.folder], capture_output=True, check=True)
    file = base64.b64encode((library.folder / "out/photo-1.png").read_bytes()).decode()
    studio = Studio(library, "--read-only")
    context = browser.new_context(viewport={"width": 1000, "height": 600})
    page, other = watched(context, []), context.new_page()
    try:
        page.goto(studio.address)
        wait_for(page, PAINTED, "the photo is painted")
        page.keyboard.press(".")
        wait_for(page, "document.getElementById('name').textContent === 'photo-1.png'",
                 "the next photo opens")
        page.wait_for_timeout(1500)
        width, height, data = page.evaluate(CANVAS)
        shown = base64.b64decode(data)
        wanted = base64.b64decode(other.evaluate(DECODE, [file, 0, 0, 900, 600, width, height]))
        places = range(0, len(shown), 4 * 97)
        differences = [colour_difference(shown[at:at + 3], wanted[at:at + 3]) for at in places]
        mean = sum(differences) / len(differences)
        expect(300 < width < 900 and mean <= 1, f"ΔE2000 {mean:.2f} at {width} × {height}")
        page.keyboard.press("z")
        wait_for(page, "document.getElementById('facts').textContent.endsWith(' 100 %')",
                 "Z shows the photo at 1:1")
        places = [None, "ArrowRight", "ArrowDown"]
        for key in places:
            for _ in range(4 if key else 0):
                page.keyboard.press(key)
                page.wait_for_timeout(150)
            page.wait_for_timeout(1000)
            width, height, data = page.evaluate(CANVAS)
            left, top = page.evaluate("() => document.getElementById('picture').dataset.part")\
                .split(",")[:2]
            wanted = other.evaluate(
                DECODE, [file, int(left), int(top), width, height, width, height])
            expect(data == wanted, f"the pixels are the rendition's at {left}, {top}")
        expect(int(left) + width == 900 and int(top) + height == 600, "keys reach the corner")
        box = page.locator("#picture").bounding_box()
        expect([box["width"], box["height"]] == [width, height], f"none is resampled: {box}")
        expect(Axe().run(page).response["violations"] == [], "axe finds nothing at 1:1")
        shoot(page, "loupe")
        page.keyboard.press("z")
        wait_for(page, "!document.getElementById('facts').textContent.endsWith(' 100 %')",
                 "Z shows the whole photo again")
    finally:
        context.close()
        studio.end()


def latency(browser, library):
    """Prints the time from a movement to its painted picture; asserts no speed."""
    studio = Studio(library, "--read-only")
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    page = watched(context, [])
    try:
        page.goto(studio.address)
        wait_for(page, PAINTED, "the photo is painted")
        times = page.evaluate("""async () => {
          const slider = document.querySelector('[data-setting=stops] input[type=range]');
          const times = [];
          for (let n = 0; n < 40; n += 1) {
            const seen = new Promise((resolve) => {
              new PerformanceObserver((list, self) => { self.disconnect(); resolve(); })
                .observe({ type: 'mark' });
            });
            const start = performance.now();
            slider.value = 300 + 10 * n;
            slider.dispatchEvent(new Event('input'));
            await seen;
            times.push(performance.now() - start);
          }
          return times;
        }""")
        expect(len(times) == 40, "each movement is painted")
        times = sorted(times[5:])
        print(f"movement to paint: median {statistics.median(times):.0f} ms,"
              f" p95 {times[int(0.95 * len(times))]:.0f} ms")
    finally:
        context.close()
        studio.end()


def main():
    with tempfile.TemporaryDirectory(prefix="phbatch-studio-") as folder:
        folder = pathlib.Path(folder)
        attacks(Library(folder / "attacks"))
        if not CHROMIUM:
            print("SKIPPED: the studio in a browser: there is no chromium")
        else:
            options = ["--no-sandbox"] if os.geteuid() == 0 else []
            with sync_playwright() as playwright:
                browser = playwright.chromium.launch(executable_path=CHROMIUM, args=options)
                for check in [story, steps, tools, law, loss, faults, run, access, latency]:
                    check(browser, Library(folder / check.__name__))
                browser.close()
    print(f"studio: {COUNT - len(FAILURES)} passed, {len(FAILURES)} failed")
    sys.exit(1 if FAILURES else 0)


main()
