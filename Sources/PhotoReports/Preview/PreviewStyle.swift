import PhotoBatch

/// The style sheet of the page of previews, for light and dark mode, and for narrow and wide
/// screens.
enum PreviewStyle {
  static let text: StaticString = """
    :root {
      color-scheme: light dark;
      --paper: #f4f3f0; --card: #fff; --mat: #e8e6e1; --ink: #1c1b19; --soft: #6b6862; --rule: #dedbd4;
      --due: #8a5200; --due-paper: #fdeccb; --fine: #1f6b3a; --fine-paper: #dcf1e2;
      --bad: #a3211b; --bad-paper: #fbe0dd; --focus: #0b63ce;
    }
    @media (prefers-color-scheme: dark) {
      :root {
        --paper: #131312; --card: #1e1e1c; --mat: #161615; --ink: #ecebe7; --soft: #a09d96; --rule: #34332f;
        --due: #f5c878; --due-paper: #3d2e12; --fine: #8fd6a6; --fine-paper: #17331f;
        --bad: #ff9d95; --bad-paper: #421b18; --focus: #6cb0ff;
      }
    }
    * { box-sizing: border-box; margin: 0; }
    html { scroll-behavior: smooth; }
    @media (prefers-reduced-motion: reduce) { html { scroll-behavior: auto; } }
    body {
      max-width: 110rem; margin: 0 auto; padding: 2rem clamp(1rem, 3vw, 3rem) 3rem;
      background: var(--paper); color: var(--ink);
      font: 15px/1.5 system-ui, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
    }
    .top { margin-bottom: 1.75rem; }
    h1 { font-size: 1.7rem; font-weight: 650; line-height: 1.2; letter-spacing: -0.01em; }
    .recipe, footer { color: var(--soft); }
    footer { margin-top: 2rem; font-size: 0.87rem; }
    code { font: 0.92em ui-monospace, "SF Mono", Menlo, Consolas, monospace; overflow-wrap: anywhere; }
    .sheet {
      display: grid; gap: 1.25rem; align-items: start;
      grid-template-columns: repeat(auto-fill, minmax(min(100%, 16rem), 1fr));
      grid-auto-flow: row dense;
    }
    .photo {
      position: relative; overflow: hidden; border-radius: 10px; background: var(--card);
      box-shadow: 0 0 0 1px var(--rule), 0 2px 6px rgb(0 0 0 / 5%);
    }
    .view { position: relative; overflow: hidden; background: var(--mat); }
    .view img { display: block; width: 100%; }
    .view.empty {
      display: grid; place-items: center; min-height: 9rem; padding: 1.5rem; text-align: center;
      background: var(--rule); color: var(--soft);
    }
    .photo:not(:target, .open) .view { aspect-ratio: 4 / 3; }
    .photo:not(:target, .open) .view img { height: 100%; object-fit: contain; }
    .before, .line, .tag, input, .facts, .close { display: none; }
    .title { display: flex; gap: 0.75rem; align-items: center; padding: 0.7rem 0.9rem; }
    .title h2 { flex: 1; min-width: 0; font-size: 0.93rem; font-weight: 550; overflow-wrap: anywhere; }
    .state {
      flex: none; padding: 0.1rem 0.6rem; border-radius: 99px; font-size: 0.8rem; font-weight: 600;
    }
    .due { background: var(--due-paper); color: var(--due); }
    .fine { background: var(--fine-paper); color: var(--fine); }
    .bad { background: var(--bad-paper); color: var(--bad); }
    .enlarge { position: absolute; inset: 0; border-radius: 10px; cursor: zoom-in; }
    .enlarge:focus-visible { outline: 3px solid var(--focus); outline-offset: -3px; }

    :is(.photo:target, .photo.open) {
      grid-column: 1 / -1; display: grid; scroll-margin-top: 1rem;
      grid-template-columns: minmax(0, 1fr) minmax(17rem, 23rem);
      grid-template-rows: auto 1fr;
    }
    :is(.photo:target, .photo.open) {
      & .view { grid-row: 1 / 3; align-self: start; --at: 50%; touch-action: pan-y; }
      & .view img { max-height: 86vh; object-fit: contain; }
      & .before {
        display: block; position: absolute; inset: 0; height: 100%;
        clip-path: inset(0 calc(100% - var(--at)) 0 0);
      }
      & .line {
        display: block; position: absolute; inset: 0 auto 0 var(--at); width: 2px;
        margin-left: -1px; background: #fff; box-shadow: 0 0 4px rgb(0 0 0 / 60%);
      }
      & .line::after {
        content: "‹ ›"; position: absolute; top: 50%; left: 50%; width: 2.4rem; height: 2.4rem;
        translate: -50% -50%; border-radius: 50%; background: #fff; color: #222;
        font: 600 1.1rem/2.3rem system-ui, sans-serif; text-align: center; letter-spacing: 0.08em;
        box-shadow: 0 1px 6px rgb(0 0 0 / 45%);
      }
      & input {
        display: block; position: absolute; inset: 0; width: 100%; height: 100%; opacity: 0;
        cursor: ew-resize; touch-action: pan-y;
      }
      & .view:has(input:focus-visible) { outline: 3px solid var(--focus); outline-offset: -3px; }
      & .view:has(input:focus-visible) .line::after { outline: 3px solid var(--focus); }
      & .tag {
        display: block; position: absolute; top: 0.8rem; padding: 0.15rem 0.65rem;
        border-radius: 99px; background: rgb(0 0 0 / 58%); color: #fff; font-size: 0.8rem;
      }
      & .left { left: 0.8rem; }
      & .right { right: 0.8rem; }
      & .enlarge { display: none; }
      & .title { padding: 1rem 5rem 0.6rem 1.2rem; }
      & .title h2 { font-size: 1.1rem; }
      & .facts { display: block; padding: 0 1.2rem 1.2rem; min-width: 0; }
      & .close {
        display: block; position: absolute; top: 0.95rem; right: 1.1rem; color: var(--soft);
        font-size: 0.87rem;
      }
    }
    .one .close { display: none !important; }
    .one .title { padding-right: 1.2rem !important; }
    dl { display: grid; grid-template-columns: auto minmax(0, 1fr); gap: 0.3rem 1rem; }
    dt { color: var(--soft); }
    dd { overflow-wrap: anywhere; }
    .outputs {
      display: grid; gap: 0.9rem; margin-top: 1.1rem; align-items: end;
      grid-template-columns: repeat(auto-fill, minmax(min(100%, 8.5rem), 1fr));
    }
    .output { display: block; max-width: 100%; max-height: 14rem; margin: 0 auto; border-radius: 4px; }
    figcaption { margin-top: 0.35rem; color: var(--soft); font-size: 0.87rem; text-align: center; }
    table { width: 100%; margin-top: 1.1rem; border-collapse: collapse; font-size: 0.87rem; }
    caption { padding-bottom: 0.3rem; color: var(--soft); text-align: left; }
    th, td {
      padding: 0.3rem 0.5rem 0.3rem 0; border-top: 1px solid var(--rule); font-weight: 400;
      text-align: left; vertical-align: top; overflow-wrap: anywhere;
    }
    th { padding-right: 1rem; }
    td:last-child { padding-right: 0; }
    td { text-align: right; }
    .origin { display: block; color: var(--soft); font-size: 0.92em; }
    @media (max-width: 52rem) {
      body { padding-top: 1.25rem; }
      :is(.photo:target, .photo.open) { grid-template-columns: minmax(0, 1fr); }
      :is(.photo:target, .photo.open) .view { grid-row: auto; }
      :is(.photo:target, .photo.open) .close { top: auto; }
      :is(.photo:target, .photo.open) { grid-template-rows: none; }
      :is(.photo:target, .photo.open) .title { padding-right: 1.2rem; }
      :is(.photo:target, .photo.open) .close { position: static; padding: 0 1.2rem 1.2rem; }
    }

    """
}
