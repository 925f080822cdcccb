import PhotoBatch

/// The script of the page of previews.
///
/// The script moves the sliders. It also reads the fragment of the URL: `#p3:30` opens the third
/// photo with its slider at 30 %.
enum PreviewScript {
  static let text: StaticString = """
    "use strict";
    const photos = [...document.querySelectorAll(".photo")];
    const move = (slider) =>
      slider.parentElement.style.setProperty("--at", slider.value + "%");
    for (const photo of photos) {
      const slider = photo.querySelector("input");
      if (slider) {
        slider.addEventListener("input", () => move(slider));
        move(slider);
      }
    }
    const single = photos.length === 1;
    const follow = () => {
      const [id, place] = location.hash.slice(1).split(":");
      for (const photo of photos) {
        photo.classList.toggle("open", single || photo.id === id);
        const slider = photo.querySelector("input");
        if (photo.id !== id) continue;
        if (slider && place !== undefined) {
          slider.value = place;
          move(slider);
        }
        photo.scrollIntoView({ block: "start" });
      }
    };
    addEventListener("hashchange", follow);
    addEventListener("keydown", (event) => {
      if (event.key === "Escape" && location.hash) location.hash = "";
    });
    follow();

    """
}
