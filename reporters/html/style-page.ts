/** Colours of both schemes, type, and the first screen. */
export const pageStyle: string = `
:root {
  color-scheme: light dark;
  --paper: #ffffff; --panel: #f6f7f9; --line: #d5d9df; --ink: #16191d; --quiet: #535b66; --link: #0b4fb3;
  --good: #17663a; --good-soft: #e2f3e8; --bad: #b3261e; --bad-soft: #fdecea; --doubt: #7a4a00; --doubt-soft: #fff1d6;
  --open: #1d4f91; --open-soft: #e6effb; --on-strong: #ffffff; --focus: #0b4fb3; --mark: #ffe08a; --on-mark: #16191d;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #12161b; --panel: #1b2027; --line: #39414c; --ink: #e7eaee; --quiet: #a9b2be; --link: #8ebcff;
    --good: #74d69a; --good-soft: #16301f; --bad: #ff9489; --bad-soft: #3a1a18; --doubt: #f3bd5a; --doubt-soft: #352708;
    --open: #93bdff; --open-soft: #182a45; --on-strong: #12161b; --focus: #ffd54a; --mark: #665200; --on-mark: #fff4cc;
  }
}
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body {
  margin: 0 auto; max-width: 82rem; padding: 0 1.25rem 3rem; background: var(--paper); color: var(--ink);
  font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
  overflow-wrap: anywhere;
}
h1, h2, h3, h4, p, ul, dl, dd, figure { margin: 0; }
ul { padding-left: 1.2em; }
a { color: var(--link); text-underline-offset: .15em; }
code, pre { font: .85rem/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; }
code, pre, bdi, dd { unicode-bidi: isolate; }
h2 { font-size: 1.3rem; line-height: 1.3; }
h3 { font-size: 1rem; line-height: 1.4; }
h4 { font-size: .9rem; }
[hidden] { display: none !important; }
:focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; border-radius: 3px; }
main:focus, article:focus, section:focus { outline: none; }
article:focus-visible { outline: 3px solid var(--focus); }
.unseen {
  position: absolute; width: 1px; height: 1px; margin: -1px; padding: 0; overflow: hidden; clip-path: inset(50%);
  white-space: nowrap; border: 0;
}
.skip { position: absolute; left: -100vw; background: var(--paper); padding: .5rem 1rem; }
.skip:focus { left: .5rem; top: .5rem; z-index: 9; }
.remark, .facts { color: var(--quiet); font-size: .875rem; }
.tag { white-space: nowrap; }

.banner {
  display: flex; gap: 1rem; align-items: center; margin: 1.25rem 0 0; padding: 1rem 1.25rem; border-radius: 10px 10px 0 0;
  border: 1px solid var(--line); border-left: 8px solid var(--tone); background: var(--tone-soft);
}
.verdict-conformant { --tone: var(--good); --tone-soft: var(--good-soft); }
.verdict-non-conformant, .verdict-error { --tone: var(--bad); --tone-soft: var(--bad-soft); }
.verdict-incomplete { --tone: var(--open); --tone-soft: var(--open-soft); }
.banner h1 { color: var(--tone); font-size: 2rem; line-height: 1.15; }
.banner .target { font-weight: 600; }
.banner .target code { font-size: 1rem; }
.banner .when { color: var(--ink); font-size: .9rem; }
.verdict-sign { flex: none; }
.verdict-sign .outline { fill: var(--tone); }
.verdict-sign .glyph { stroke: var(--on-strong); }
.summary {
  display: grid; grid-template: "why figures" auto "next next" auto / minmax(0, 1fr) minmax(0, 1fr); gap: .75rem 2rem; padding: 1rem 1.25rem;
  border: 1px solid var(--line); border-top: 0; border-radius: 0 0 10px 10px; background: var(--panel);
}
.why { font-size: 1.05rem; font-weight: 600; list-style: none; padding: 0; }
.why li + li { margin-top: .3rem; font-size: .95rem; font-weight: 400; }
.why { grid-area: why; } .figures { grid-area: figures; } .next { grid-area: next; display: grid; gap: .6rem 2rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 28rem), 1fr)); }
.next:empty { display: none; }
.steps { padding: 0; list-style: none; font-size: .95rem; }
.steps li { display: flex; gap: .5rem; align-items: baseline; }
.steps li + li { margin-top: .25rem; }
.summary > * { margin: 0; }
.summary h3 { font-size: .9rem; color: var(--quiet); }
.figures .bar { display: block; margin: .5rem 0; border-radius: 4px; background: var(--line); }
.fill-pass { fill: var(--good); } .fill-fail, .fill-error { fill: var(--bad); } .fill-warn { fill: var(--doubt); }
.fill-inconclusive { fill: var(--open); }
.legend { display: flex; flex-wrap: wrap; gap: .25rem 1rem; padding: 0; list-style: none; font-size: .9rem; }

.toolbar {
  display: flex; flex-wrap: wrap; gap: .5rem 1.5rem; align-items: center; justify-content: space-between; margin: .75rem 0 0;
  padding: .5rem 0; background: var(--paper); border-bottom: 1px solid var(--line); font-size: .9rem;
}
.toolbar nav ul { display: flex; flex-wrap: wrap; gap: 0 .25rem; padding: 0; list-style: none; }
.toolbar nav a { display: block; padding: .2rem .45rem; }
.toolbar form { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; }
.toolbar label { display: flex; gap: .35rem; align-items: center; }
.toolbar input, .toolbar select, button {
  font: inherit; min-height: 1.9rem; padding: .1rem .5rem; color: var(--ink); background: var(--paper);
  border: 1px solid var(--quiet); border-radius: 5px; max-width: 100%;
}
.toolbar input { width: 10rem; } .toolbar select { width: 7.5rem; }
.toolbar input::placeholder { color: var(--quiet); opacity: 1; }
.toolbar [data-status]:empty { display: none; }
.toolbar [data-status] { font-weight: 600; flex-basis: 100%; }
button { cursor: pointer; }
button:hover { background: var(--panel); }
main > section:not(.summary) { margin-top: 1.75rem; scroll-margin-top: 1rem; }
section > * + * { margin-top: .6rem; }
.title-line { display: flex; gap: 1rem; align-items: center; justify-content: space-between; }
footer { margin-top: 2.5rem; padding-top: .75rem; border-top: 1px solid var(--line); color: var(--quiet); font-size: .875rem; }
@media (min-width: 70rem) and (min-height: 40rem) {
  .toolbar { position: sticky; top: 0; z-index: 3; }
  html { scroll-padding-top: 5rem; }
}
@media (max-width: 48rem) {
  body { padding: 0 .75rem 2rem; }
  .banner { margin-top: .75rem; padding: .75rem; align-items: flex-start; }
  .banner h1 { font-size: 1.5rem; }
  .banner .target code { font-size: .9rem; }
  .verdict-sign { width: 40px; height: 40px; }
  .summary { grid-template: "why" "figures" "next" / minmax(0, 1fr); padding: .75rem; }
  .toolbar form { width: 100%; }
  .toolbar label { flex: 1 1 9rem; min-width: 0; }
  .toolbar input, .toolbar select { flex: 1; width: 4rem; min-width: 0; }
}
@media (prefers-reduced-motion: no-preference) { html { scroll-behavior: smooth; } }
`;
