"""The studio ends while it works."""

import http.client
import json
import os
import subprocess
import threading
import time

from harness import PHBATCH, Studio, expect, frame


def busy(library):
    """The studio ends cleanly in the middle of a run, a check, thumbnails and pictures."""
    for number in range(6, 40):
        os.link(library.folder / "photo-1.png", library.folder / f"photo-{number}.png")
    for number in range(8):
        studio = Studio(library)
        socket, _ = studio.upgrade()
        socket.sendall(frame(json.dumps({"token": studio.key})))

        def repeat(path):
            try:
                while True:
                    studio.ask("GET", path)
            except (OSError, http.client.HTTPException):
                pass

        def show():
            request = {"number": 1, "photo": "p0", "box": [800, 600], "set": {}}
            try:
                while True:
                    socket.sendall(frame(json.dumps({"show": request})))
                    time.sleep(0.03)
            except OSError:
                pass

        threads = [threading.Thread(target=repeat, args=(path,))
                   for path in ["/api/check", "/api/photos/p1/thumb"]] + [threading.Thread(target=show)]
        for thread in threads:
            thread.start()
        began, _, _ = studio.ask("POST", "/api/run")
        time.sleep(0.15 * number)
        ended, _, _ = studio.ask("POST", "/api/end", {})
        code = studio.process.wait(20)
        complaints = studio.process.stderr.read()
        socket.close()
        for thread in threads:
            thread.join()
        studio.end()
        expect(began == 200 and ended == 200 and code == 0,
               f"it ends {0.15 * number:.2f} s after the start of a run: {code}, {complaints[-2000:]}")
    verified = subprocess.run([PHBATCH, "verify", library.folder], capture_output=True, text=True)
    expect(verified.returncode == 0, f"what it has written is whole: {verified.stdout}{verified.stderr}")
