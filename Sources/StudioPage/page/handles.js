// Handles over the photo, which a pointer or arrow keys move.

import { awaitedHandle, isTypedInto } from "/focus.js";
import { settle, wait } from "/pending.js";
import { announce } from "/state.js";
import { svg } from "/svg.js";

export class Handles {
  constructor(overlay) { this.overlay = overlay; }

  // Draws handles at positions 0…1 of the picture. `handles` are {name, at: [x, y], label, adds}. A handle with `adds` is
  // small and adds another handle, whose {name, label} it names. `shapes` gets the size of the picture on the screen and
  // returns the shapes below the handles. `moved` gets the name and the new position, `ended` is called when the pointer
  // is released, and a moment after the last arrow key. `keyed` gets the name and the key of another key, and returns true
  // if it has used it.
  draw(shapes, handles, { moved, ended, keyed = () => false }) {
    const { width, height } = this.overlay.getBoundingClientRect();
    const active = document.activeElement;
    const focused = this.overlay.contains(active) ? active.getAttribute("aria-label") : awaitedHandle();
    this.overlay.setAttribute("viewBox", `0 0 ${width || 1} ${height || 1}`);
    this.overlay.replaceChildren(...shapes(width, height));
    for (const handle of handles) {
      const [x, y] = [handle.at[0] * width, handle.at[1] * height];
      const dot = svg("circle", { cx: x, cy: y, r: 12, fill: "rgb(255 255 255 / .01)",
        tabindex: 0, role: "slider", "aria-label": handle.label,
        "aria-valuenow": Math.round(100 * handle.at[0]), "aria-valuetext": handle.at.map((v) => `${Math.round(100 * v)} %`).join(", ") });
      dot.style.cursor = handle.adds ? "copy" : "move";
      dot.style.pointerEvents = "all";
      const mark = svg("circle", { cx: x, cy: y, r: handle.adds ? 4 : 6, fill: "#fff", stroke: "#000",
        "fill-opacity": handle.adds ? 0.5 : 1, "stroke-width": 1.5 });
      mark.style.pointerEvents = "none";
      dot.addEventListener("pointerdown", (event) => this.drag(event, handle, moved, ended));
      dot.addEventListener("keydown", (event) => {
        const step = event.shiftKey ? 0.05 : 0.005;
        const way = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, -step],
          ArrowDown: [0, step] }[event.key];
        if (way) {
          // The next keys move what the first one has added.
          if (handle.adds) settle();
          const { name, label } = handle.adds ?? handle;
          wait(label, () => ended(name));
          moved(handle.name, [handle.at[0] + way[0], handle.at[1] + way[1]], false);
          if (handle.adds) this.focus(label);
        } else if (!keyed(handle.name, event.key)) return;
        event.preventDefault();
        event.stopPropagation();
      });
      this.overlay.append(mark, dot);
      if (handle.label === focused) dot.focus();
    }
    announce("handles");
  }

  drag(event, { name, label }, moved, ended) {
    if (event.button !== 0) return;
    event.preventDefault();
    settle();
    // A text that is being typed keeps the focus, because it would be sent without it.
    if (!isTypedInto(document.activeElement)) this.focus(label);
    const place = (now) => {
      const box = this.overlay.getBoundingClientRect();
      return [(now.clientX - box.left) / box.width, (now.clientY - box.top) / box.height];
    };
    let isAlive = true;
    const move = (now) => { if (isAlive) moved(name, place(now), now.shiftKey); };
    const ends = ["pointerup", "pointercancel"];
    const up = () => {
      isAlive = false;
      removeEventListener("pointermove", move);
      for (const end of ends) removeEventListener(end, up);
      ended(name);
    };
    addEventListener("pointermove", move);
    for (const end of ends) addEventListener(end, up);
  }

  // Gives the focus to the handle with this label.
  focus(label) {
    [...this.overlay.querySelectorAll("[role=slider]")].find((dot) => dot.getAttribute("aria-label") === label)?.focus();
  }

  clear() { this.overlay.replaceChildren(); }
}
