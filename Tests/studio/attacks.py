"""What other web pages and programs may try against the studio."""

import base64
import concurrent.futures
import hashlib
import json
import pathlib
import subprocess
import time

from harness import Studio, expect, frame


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
        for origin in ["null", foreign, "http://evil.example"]:
            status = studio.ask("GET", "/api/session", Origin=origin)[0]
            expect(status == 403, f"a request from the origin {origin} is refused, even with the key")
        expect(studio.ask("GET", "/api/session", Origin=None)[0] == 200, "the page's own have none")
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
        unknown = {"label": "x", "photos": ["p99999"],
                   "operations": [{"set": "exposure.stops", "value": 1}]}
        expect(studio.ask("POST", "/api/edit", unknown)[0] == 404, "an unknown photo is refused")
        expect(studio.ask("POST", "/api/draft", {"action": "discard"})[0] == 409,
               "there is no draft to discard")
        expect(b" 431 " in studio.raw(b"GET / HTTP/1.1\r\nHost: a\r\nX: " + b"x" * 40000),
               "a long head is refused")
        expect(b" 400 " in studio.raw(b"\x16\x03\x01 nonsense\r\n\r\n"), "TLS is refused")
        expect(b" 413 " in studio.raw(
            f"POST /api/edit HTTP/1.1\r\nHost: 127.0.0.1:{studio.port}\r\n"
            f"Origin: http://127.0.0.1:{studio.port}\r\nAuthorization: Bearer {studio.key}\r\n"
            "Content-Length: 9000000\r\n\r\n".encode()), "a long body is refused")
        flood(studio)
        together(studio)
        listening = subprocess.run(["ss", "-Hltn"], capture_output=True, text=True).stdout
        mine = [line for line in listening.splitlines() if f":{studio.port} " in line]
        expect(mine and all("127.0.0.1:" in line for line in mine), f"it listens on loopback only: {mine}")
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
