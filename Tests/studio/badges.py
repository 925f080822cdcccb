"""What the strip and the Run button say of photos that a run does not render."""

import subprocess

from harness import PHBATCH, RECIPE, Studio, expect, shoot, wait_for, watched

RUN = "document.getElementById('run')"


def badges(browser, library):
    """A film without an output, a photo that was never rendered, and photos that all fail."""
    (library.folder / "film.mp4").write_bytes(b"\0\0\0\x18ftypisom\0\0\2\0isomiso2" + bytes(64))
    studio = Studio(library)
    edit = {"label": "Stops", "photos": ["p2"], "operations": [{"set": "exposure.stops", "value": 1}]}
    expect(studio.ask("POST", "/api/edit", edit)[0] == 200 and studio.ask("POST", "/api/save", {})[0] == 200,
           "a photo that was never rendered has its own settings")
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    page = watched(context, [])

    def cell(name):
        return (f"[...document.querySelectorAll('.cell')].filter((e) => e.title.startsWith('{name}'))"
                ".map((e) => `${e.querySelector('.badge').textContent} ${e.title}`)[0]")

    try:
        page.goto(studio.address)
        wait_for(page, f"{cell('film.mp4')}?.startsWith('⊘')", "a film that no output renders has its own badge")
        wait_for(page, f"{cell('film.mp4')}.includes('cannot be rendered: an MP4 video')",
                 f"with the reason: {page.evaluate(cell('film.mp4'))}")
        wait_for(page, f"{cell('photo-1.png')}?.startsWith('+')", "own settings are not a rendition")
        wait_for(page, f"{RUN}.textContent === 'Run 6 ▸'", "the photos are due")
        shoot(page, "badges")
        page.close()
        studio.end()
        (library.folder / "film.mp4").unlink()
        subprocess.run([PHBATCH, "run", library.recipe, library.folder], capture_output=True, check=True)
        library.recipe.write_text(RECIPE.replace("org.example.studio", "org.example.other"))
        studio = Studio(library)
        page = watched(context, [])
        page.goto(studio.address)
        wait_for(page, f"{RUN}.textContent.startsWith('6 photos ')", "photos that all fail are not up to date")
        wait_for(page, f"{cell('photo-2.png')}?.startsWith('!')", "each has the badge of a failure")
        title = page.evaluate(cell("photo-2.png"))
        expect("out/photo-2.jpg" in title, f"with the reason: {title}")
    finally:
        context.close()
        studio.end()
