"""What the studio refuses, with the reason: each changes nothing."""

import fcntl
import json
import re
import socket
import subprocess
import time

from harness import PHBATCH, RECIPE, Library, Studio, expect, frame

STOPS = {"set": "exposure.stops", "value": 1}


def refused(studio, status, path, body=None, method="POST", says=""):
    """Expects a refusal with a message, and a hint if the user can do something."""
    found, content, _ = studio.ask(method, path, body)
    expect(found == status and says in json.loads(content)["message"],
           f"{method} {path} {body}: {found} {content}")


def refusals(library):
    before = library.files()
    studio = Studio(library)
    try:
        for method, path, status in [("GET", "/api/nothing", 404), ("GET", "/nothing", 404),
                                     ("POST", "/", 404), ("PUT", "/api/edit", 405),
                                     ("DELETE", "/api/run", 405), ("POST", "/api/pin/p99", 404)]:
            found = studio.ask(method, path, {})[0]
            expect(found == status, f"{method} {path}: {found}")
        for query in ["after=-1", "after=x", "limit=0", "limit=1001", "limit="]:
            refused(studio, 400, f"/api/photos?{query}", method="GET", says="range")
        for body in [{}, {"action": "keep"}, {"action": 1}]:
            refused(studio, 400, "/api/draft", body)
        refused(studio, 409, "/api/draft", {"action": "continue"}, says="no earlier changes")
        for colour in [None, [1, 2], [0, 0, 0], [0.1, 0.2, 2], ["a", 0, 0]]:
            refused(studio, 422, "/api/grey", {"colour": colour}, says="no colour")
        for operation, says in [
                ({"add": {"filter": "exposure"}}, "already has a step 'exposure'"),
                ({"add": {"filter": "nothing"}}, "nothing"),
                ({"remove": "hue"}, "'hue'"), ({"move": "hue", "before": None}, "'hue'"),
                ({"set": "edge", "value": 1}, "no parameter 'edge'"),
                ({"unset": "edge"}, "no parameter 'edge'"),
                ({"set": "exposure.stops", "output": "print", "value": 1}, "no step 'exposure'")]:
            refused(studio, 422, "/api/edit", {"label": "x", "operations": [operation]}, says=says)
        for operation, says in [({"remove": "exposure"}, "belong to the recipe"),
                                ({"add": {"filter": "hue"}}, "belong to the recipe"),
                                ({"set": "hue.angle", "value": 1}, "no setting 'hue.angle'"),
                                ({"set": "edge", "value": 1}, "no setting 'edge'"),
                                ({"set": "exposure.stops", "value": "x"}, "")]:
            refused(studio, 422, "/api/edit",
                    {"label": "x", "photos": ["p1"], "operations": [operation]}, says=says)
        plain, _ = studio.upgrade()
        plain.sendall(frame(json.dumps({"hello": 1, "token": studio.key})))
        show = {"number": 1, "photo": "p1", "box": [300, 300], "pin": 77}
        plain.sendall(frame(json.dumps({"show": show})))
        expect(b"no longer kept" in until(plain, b"pin it again"), "an unknown pin is refused")
        plain.close()
        heads(studio)
        expect(library.files() == before and library.recipe.read_text() == RECIPE,
               "refused requests write nothing")
        locked(studio, library)
        running(studio, library)
    finally:
        studio.end()
    read_only(library)
    ended(library)
    stacks(Library(library.folder.parent / "stacks"))


def until(plain, wanted):
    """What a socket sends until it contains a text."""
    received, end = b"", time.time() + 20
    while wanted not in received and time.time() < end:
        more = plain.recv(65536)
        if not more:
            break
        received += more
    return received


def heads(studio):
    """A request without the key is refused before its body is read."""
    host = f"Host: 127.0.0.1:{studio.port}\r\n"
    origin = f"Origin: http://127.0.0.1:{studio.port}\r\n"
    for status, head in [
            (401, f"POST /api/edit HTTP/1.1\r\n{host}{origin}Content-Length: 90\r\n"),
            (403, f"POST /api/edit HTTP/1.1\r\n{host}Content-Length: 90\r\n"),
            (404, f"POST /api/edit HTTP/1.1\r\n{host}{origin}Upgrade: websocket\r\n"),
            (400, f"GET /api/live HTTP/1.1\r\n{host}{origin}Upgrade: websocket\r\n"),
            (400, f"GET / HTTP/1.1\r\n{host}Content-Length: 90\r\n"),
            (501, f"POST /api/edit HTTP/1.1\r\n{host}{origin}Transfer-Encoding: chunked\r\n"),
            (505, f"GET / HTTP/1.0\r\n{host}")]:
        with socket.create_connection(("127.0.0.1", studio.port), timeout=10) as plain:
            plain.sendall(f"{head}\r\n".encode() + bytes(90))
            answer = until(plain, b"\r\n\r\n")
            expect(f" {status} ".encode() in answer[:30], f"{head}: {answer[:60]}")
    # Its body never arrives.
    for status, head in [
            (401, f"POST /api/edit HTTP/1.1\r\n{host}{origin}Content-Length: 900000\r\n"),
            (403, f"POST /api/edit HTTP/1.1\r\nHost: evil.example\r\n{origin}Content-Length: 90\r\n"),
            (403, f"POST /api/edit HTTP/1.1\r\n{host}Content-Length: 90\r\n"),
            (400, f"GET / HTTP/1.1\r\n{host}Content-Length: 900000\r\n"),
            (400, f"GET /api/live HTTP/1.1\r\n{host}{origin}Upgrade: websocket\r\nContent-Length: 9\r\n")]:
        with socket.create_connection(("127.0.0.1", studio.port), timeout=10) as plain:
            plain.sendall(f"{head}\r\n".encode())
            answer = until(plain, b"\r\n\r\n")
            expect(f" {status} ".encode() in answer[:30], f"without a body: {head}: {answer[:60]}")
    plain, _ = studio.upgrade()
    plain.sendall(frame(json.dumps({"hello": 1, "token": studio.key, "more": "x" * 300})))
    expect(plain.recv(100) == b"\x88\x02\x03\xf1", "a long first message of a WebSocket is refused")
    plain.close()
    plain, _ = studio.upgrade()
    plain.sendall(frame(json.dumps({"hello": 1, "token": studio.key})))
    expect(b"hello" in until(plain, b"hello"), "a short one with the key is answered")
    plain.close()


def locked(studio, library):
    """While another command holds the library, photos' settings stay unsaved, and are named."""
    edits = [{"label": "Stops", "operations": [STOPS]},
             {"label": "Stops", "photos": ["p1"], "operations": [STOPS]}]
    for edit in edits:
        expect(studio.ask("POST", "/api/edit", edit)[0] == 200, "an edit is taken")
    refused(studio, 409, "/api/run", {}, says="not saved")
    other, _ = studio.upgrade()
    other.sendall(frame(json.dumps({"hello": 1, "token": studio.key})))
    until(other, b"hello")
    with open(library.folder / ".phbatch/run.lock", "a+b") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        refused(studio, 423, "/api/save", {},
                says="the recipe is saved, but not the settings of photos: another run is using")
        hint = json.loads(studio.ask("POST", "/api/save", {})[1])["hint"]
        expect("then try again" in hint and "--" not in hint, f"the hint is for the page: {hint}")
        edit = json.loads(studio.ask("GET", "/api/session")[1])["edit"]
        expect(edit["unsaved"] == {"recipe": False, "photos": 1},
               f"the recipe is saved, the photo is not: {edit['unsaved']}")
        told = b'"unsaved":{"photos":1,"recipe":false}'
        expect(told in until(other, told), "other pages are told")
    other.close()
    expect(studio.ask("POST", "/api/save", {})[0] == 200, "then it can be saved")


def running(studio, library):
    """One run at a time; its end is told to the pages."""
    plain, _ = studio.upgrade()
    plain.sendall(frame(json.dumps({"hello": 1, "token": studio.key})))
    with open(library.folder / ".phbatch/run.lock", "a+b") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        found = [studio.ask("POST", "/api/run", {})[0] for _ in range(2)]
        expect(found == [200, 409], f"a second run is refused: {found}")
    received = until(plain, b'"ended":true')
    expect(b'"ended":true' in received, "a run that cannot begin ends")
    plain.close()


def read_only(library):
    studio = Studio(library, "--read-only")
    before = library.files()
    try:
        edit = {"label": "x", "operations": [{**STOPS, "value": 2}]}
        expect(studio.ask("POST", "/api/edit", edit)[0] == 200, "a read-only studio can edit")
        for path, body in [("/api/save", {}), ("/api/run", {})]:
            refused(studio, 403, path, body, says="--read-only")
        refused(studio, 403, "/api/revert", {"whole": True, "ticket": "x"}, says="--read-only")
        expect(library.files() == before, "it writes nothing, not even a draft")
        expect(studio.ask("POST", "/api/end", {})[0] == 409, "it asks before changes are lost")
    finally:
        studio.end()


def ended(library):
    """Requests that arrive after the end are refused, and leave no draft."""
    before = library.files(state=False)
    studio = Studio(library)
    try:
        edit = {"label": "x", "operations": [{**STOPS, "value": 2}]}
        usual = (f"Host: 127.0.0.1:{studio.port}\r\nOrigin: http://127.0.0.1:{studio.port}\r\n"
                 f"Authorization: Bearer {studio.key}\r\n")
        expect(studio.ask("POST", "/api/edit", edit)[0] == 200, "an edit is taken")
        # All requests arrive together, so that the studio answers them before its process ends.
        requests = b""
        for path, body in [("end", {"discard": True}), ("edit", edit), ("undo", {}), ("save", {}),
                           ("draft", {"action": "continue"})]:
            data = json.dumps(body).encode()
            requests += f"POST /api/{path} HTTP/1.1\r\n{usual}Content-Length: {len(data)}\r\n\r\n".encode() + data
        found = re.findall(rb"HTTP/1.1 (\d+) ", studio.raw(requests))
        expect(found == [b"200", b"409", b"409", b"409", b"409"], f"requests after the end: {found}")
        expect(studio.process.wait(20) == 0 and library.files(state=False) == before,
               "nothing is written")
        expect(not (library.folder / ".phbatch/studio").exists(), "and no draft is left")
    finally:
        studio.end()


def stacks(library):
    """Revert all reverts the stack of the recipe, and no other one."""
    small = library.folder.parent / "small.json"
    small.write_text(RECIPE.replace('"version"', '"variant": "small", "version"').replace("studio", "small")
                     .replace("out/", "small/"))
    subprocess.run([PHBATCH, "run", small, library.folder], capture_output=True, check=True)
    subprocess.run([PHBATCH, "adjust", library.folder / "photo-2.png", "--recipe", library.recipe,
                    "--set", "exposure.stops=1"], capture_output=True, check=True)
    before = library.files(state=False)
    mine = str(library.folder / "photo-2.png.phbatch.json")
    studio = Studio(library)
    try:
        loss = json.loads(studio.ask("POST", "/api/revert", {"whole": True})[1])
        expect(loss["photos"] == 1, f"one photo has an edit by the recipe: {loss}")
        status = studio.ask("POST", "/api/revert", {"whole": True, "ticket": loss["ticket"]})[0]
        changed = {name for name in {**before, **library.files(state=False)}
                   if before.get(name) != library.files(state=False).get(name)}
        expect(status == 200 and changed == {mine}, f"only that is reverted: {status} {changed}")
    finally:
        studio.end()
