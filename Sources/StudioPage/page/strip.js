// The filmstrip, and the grid: as many cells as are visible, for libraries of any size.

import { element } from "/dialogs.js";
import { sentences } from "/messages.js";
import { get, thumbnail } from "/server.js";
import { at, page, paint } from "/state.js";

// The states of photos: the badge, and its meaning.
const states = { done: ["✓", "rendered"], stale: ["↻", "to be rendered again"],
  never: ["+", "not rendered yet"], failed: ["!", "failed"], unsupported: ["⊘", "cannot be rendered"],
  left: ["–", "left as it is"] };

const [width, height, pageSize] = [116, 90, 500];

export class Strip {
  // `open` opens the photo with a number, `openNeighbour` the one that is so many places away.
  constructor(total, open, openNeighbour) {
    this.total = total;
    [this.open, this.openNeighbour] = [open, openNeighbour];
    this.box = at("strip");
    this.cells = at("cells");
    this.photos = new Map();
    this.asked = new Map();
    this.shown = new Map();
    this.marked = new Set();
    // Answers to requests of an earlier round are out of date.
    this.round = 0;
    this.waiting = [];
    this.loading = 0;
    this.box.addEventListener("scroll", () => this.fill(), { passive: true });
    new ResizeObserver(() => this.resize()).observe(this.box);
    this.spare = [];
    this.resize();
    this.cells.addEventListener("keydown", (event) => {
      const columns = this.isGrid ? this.columns : 1;
      const way = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -columns, ArrowDown: columns,
        Home: -this.total, End: this.total }[event.key];
      // At 1:1, arrow keys show other parts of the photo.
      if (way && page.stage.isWhole && !this.isGrid) return;
      if (way) this.openNeighbour(way);
      else if (event.key === " ") this.mark(this.current);
      else return;
      event.preventDefault();
      event.stopPropagation();
    });
  }

  get isGrid() { return this.box.classList.contains("grid"); }

  toggleGrid() {
    this.box.classList.toggle("grid");
    for (const cell of this.shown.values()) this.drop(cell);
    this.shown.clear();
    this.resize();
    this.reveal();
    // In a small window, the list lies below the photo and the settings.
    this.box.scrollIntoView({ block: "nearest" });
  }

  async photo(number) {
    const start = Math.floor(number / pageSize) * pageSize;
    // A save or a run can make the answer out of date before it arrives.
    for (let tries = 0; tries < 3 && !this.photos.has(number); tries += 1) await this.load(start);
    return this.photos.get(number);
  }

  // Loads a part of the list, once at a time.
  load(start) {
    if (!this.asked.has(start)) {
      const { round } = this;
      const loading = get(`/api/photos?after=${start}&limit=${pageSize}`).then((part) => {
        if (round !== this.round) return;
        part.photos.forEach((photo, index) => this.photos.set(start + index, photo));
        setTimeout(() => this.fill());
      }).catch((error) => { this.problem = sentences(error); }).finally(() => {
        if (this.asked.get(start) === loading) this.asked.delete(start);
      });
      this.asked.set(start, loading);
    }
    return this.asked.get(start);
  }

  select(number) {
    this.current = number;
    for (const [index, cell] of this.shown) this.dress(index, cell);
    this.reveal();
    this.cells.setAttribute("aria-activedescendant", `cell-${number}`);
  }

  reveal() {
    const [column, row] = [this.current % this.columns, Math.floor(this.current / this.columns)];
    if (this.isGrid) {
      const top = row * height;
      if (top < this.box.scrollTop || top + height > this.box.scrollTop + this.box.clientHeight) {
        this.box.scrollTop = top - this.box.clientHeight / 2;
      }
    } else {
      const left = column * width;
      if (left < this.box.scrollLeft || left + width > this.box.scrollLeft + this.box.clientWidth) {
        this.box.scrollLeft = left - this.box.clientWidth / 2;
      }
    }
    this.fill();
  }

  // Forgets the pictures, because a save or a run has changed them.
  refresh() {
    this.round += 1;
    this.photos.clear();
    this.asked.clear();
    for (const cell of this.shown.values()) this.drop(cell);
    this.shown.clear();
    this.fill();
  }

  // Asks for the states of the photos in sight again, and keeps their pictures.
  async renew() {
    const starts = new Set([...this.shown.keys()].map((index) => Math.floor(index / pageSize) * pageSize));
    for (const start of [...this.photos.keys()]) {
      if (!starts.has(Math.floor(start / pageSize) * pageSize)) this.photos.delete(start);
    }
    await Promise.all([...starts].map((start) => this.load(start)));
    for (const [index, cell] of this.shown) this.dress(index, cell);
  }

  // Forgets the picture of a cell.
  clear(cell) {
    const image = cell.firstElementChild;
    if (!image.hasAttribute("src")) return;
    URL.revokeObjectURL(image.src);
    image.removeAttribute("src");
  }

  // Cells are used again, because making them takes most of the time of scrolling.
  drop(cell) {
    this.clear(cell);
    cell.remove();
    cell.id = "";
    if (this.spare.length < 200) this.spare.push(cell);
  }

  take() {
    if (this.spare.length) return this.spare.pop();
    const cell = element("div", { className: "cell" }, element("img", { alt: "" }),
      element("b", { className: "badge", ariaHidden: "true" }), element("span"));
    cell.setAttribute("role", "option");
    cell.addEventListener("click", (event) => {
      const index = Number(cell.dataset.index);
      if (event.ctrlKey || event.metaKey) this.mark(index);
      else if (event.shiftKey) this.markTo(index);
      else this.open(index);
    });
    return cell;
  }

  resize() {
    [this.width, this.height] = [this.box.clientWidth, this.box.clientHeight];
    const columns = this.isGrid ? Math.max(1, Math.floor(this.width / width)) : this.total;
    if (columns !== this.columns) {
      for (const cell of this.shown.values()) this.drop(cell);
      this.shown.clear();
    }
    this.columns = columns;
    this.cells.style.width = this.isGrid ? "100%" : `${this.total * width}px`;
    this.cells.style.height = `${Math.ceil(this.total / (columns || 1)) * height}px`;
    this.fill();
  }

  fill() {
    const columns = this.columns;
    let [first, last] = [0, 0];
    if (this.isGrid) {
      const top = this.box.scrollTop;
      first = Math.floor(top / height) * columns;
      last = Math.ceil((top + this.height) / height) * columns;
    } else {
      const left = this.box.scrollLeft;
      first = Math.floor(left / width) - 2;
      last = Math.ceil((left + this.width) / width) + 2;
    }
    [first, last] = [Math.max(0, first), Math.min(this.total, last)];
    // Cells that leave the view are moved to where others come into it, without a new layout.
    const free = [];
    for (const [index, cell] of this.shown) {
      if (index < first || index >= last) { free.push(cell); this.shown.delete(index); }
    }
    const made = [];
    for (let index = first; index < last; index += 1) {
      if (this.shown.has(index)) continue;
      const photo = this.photos.get(index);
      if (!photo) { this.load(Math.floor(index / pageSize) * pageSize); continue; }
      let cell = free.pop();
      if (cell) this.clear(cell);
      else {
        cell = this.take();
        made.push(cell);
      }
      cell.dataset.index = index;
      cell.id = `cell-${index}`;
      cell.style.transform =
        `translate(${(index % columns) * width}px, ${Math.floor(index / columns) * height}px)`;
      this.shown.set(index, cell);
      this.dress(index, cell);
      this.waiting.push([index, photo.id]);
    }
    for (const cell of free) this.drop(cell);
    if (made.length) this.cells.append(...made);
    if (this.waiting.length > 2000) this.waiting.splice(0, 1000);
    // Pictures are wanted only where scrolling stops.
    clearTimeout(this.soon);
    this.soon = setTimeout(() => this.next(), 60);
  }

  dress(index, cell) {
    const photo = this.photos.get(index);
    cell.setAttribute("aria-selected", String(index === this.current));
    cell.setAttribute("aria-posinset", index + 1);
    cell.setAttribute("aria-setsize", this.total);
    cell.classList.toggle("marked", this.marked.has(index));
    const name = cell.lastElementChild;
    const [sign, general] = states[photo?.state] ?? ["", ""];
    const meaning = [general, photo?.detail].filter(Boolean).join(": ");
    const badge = name.previousElementSibling;
    badge.textContent = sign;
    badge.dataset.state = photo?.state ?? "";
    if (photo) {
      cell.title = `${photo.path}${meaning ? ` – ${meaning}` : ""}`;
      cell.setAttribute("aria-label",
        [photo.name, photo.own ? "own settings" : "", meaning].filter(Boolean).join(", "));
    }
    if (photo) name.textContent = `${photo.own ? "• " : ""}${photo.name}`;
  }

  mark(index) {
    if (!this.marked.delete(index)) this.marked.add(index);
    this.dress(index, this.shown.get(index));
    paint();
  }

  markTo(index) {
    const [from, to] = [Math.min(this.current, index), Math.max(this.current, index)];
    for (let number = from; number <= to; number += 1) this.marked.add(number);
    for (const [number, cell] of this.shown) this.dress(number, cell);
    paint();
  }

  unmark() {
    this.marked.clear();
    for (const [index, cell] of this.shown) this.dress(index, cell);
    paint();
  }

  // Loads the newest wanted thumbnails first: the older ones may be out of sight.
  async next() {
    while (this.loading < 2 && this.waiting.length) {
      const [index, id] = this.waiting.pop();
      const cell = this.shown.get(index);
      if (!cell) continue;
      this.loading += 1;
      const { round } = this;
      thumbnail(id).then(({ picture, state }) => {
        if (round !== this.round) return;
        const photo = this.photos.get(index);
        if (photo && state) photo.state = state;
        if (this.shown.get(index) !== cell) return;
        cell.firstElementChild.src = URL.createObjectURL(picture);
        this.dress(index, cell);
      }).catch(() => { cell.title += " (no picture)"; }).finally(() => {
        this.loading -= 1;
        this.next();
      });
    }
  }
}
