/** The style of the page: both color schemes, the first screen, rows and evidence, grids, paper. Its hash stands in the page's policy. */
export const style: string = `
:root {
  color-scheme: light dark;
  --paper: #ffffff; --panel: #f7f8f9; --hover: #f1f3f5; --line: #e3e6ea; --edge: #8b949e; --ink: #1c2126; --quiet: #5a636e;
  --link: #0a58ca; --good: #1a6b3c; --good-soft: #e4f4ea; --bad: #b3261e; --bad-soft: #fdebea; --doubt: #855000;
  --doubt-soft: #fff3dc; --open: #1f5499; --open-soft: #e8f0fb; --on-strong: #ffffff; --mark: #ffe69c; --on-mark: #1c2126;
  --mono: ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #0f1318; --panel: #161b22; --hover: #1c222b; --line: #2b323c; --edge: #6c7684; --ink: #e3e7ec; --quiet: #9ca6b3;
    --link: #82b4ff; --good: #6fd496; --good-soft: #14301f; --bad: #ff9388; --bad-soft: #3a1b19; --doubt: #f0bb5b;
    --doubt-soft: #33270b; --open: #8fbaff; --open-soft: #172a45; --on-strong: #0f1318; --mark: #665200; --on-mark: #fff4cc;
  }
}
* { box-sizing: border-box; }
html { font-size: 14px; scroll-padding-top: 3.5rem; -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body {
  margin: 0 auto; max-width: 96rem; padding: 0 24px 48px; background: var(--paper); color: var(--ink);
  font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; overflow-wrap: anywhere;
}
h1, h2, h3, h4, p, ul, ol, dl, dd, figure { margin: 0; }
ul, ol { padding-left: 1.2em; }
a { color: var(--link); text-underline-offset: .15em; }
code, pre, kbd { font: .8571rem/1.5 var(--mono); }
code, pre, bdi, dd { unicode-bidi: isolate; }
h1 { font-size: 1.4286rem; line-height: 1.3; }
h2 { font-size: 1.1429rem; line-height: 1.4; }
h3, h4 { font-size: 1rem; font-weight: 500; }
h4 { font-weight: 600; }
[hidden] { display: none !important; }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; border-radius: 4px; }
main:focus, section:focus, .example:focus { outline: none; }
.unseen {
  position: absolute; width: 1px; height: 1px; margin: -1px; padding: 0; overflow: hidden; clip-path: inset(50%);
  white-space: nowrap; border: 0;
}
.skip { position: absolute; left: -100vw; background: var(--paper); padding: 8px 16px; }
.skip:focus { left: 8px; top: 8px; z-index: 9; }
.quiet { color: var(--quiet); font-size: .9286rem; }
.quiet code { font-size: .8571rem; }
mark { background: var(--mark); color: var(--on-mark); padding: 0 .2em; border-radius: 3px; font: .8571rem/1.5 var(--mono); font-weight: 600; }
.mark {
  display: inline-flex; align-items: center; justify-content: center; flex: none; width: 1.2857rem; height: 1.2857rem;
  border-radius: 4px; font-weight: 700; font-size: .7857rem; line-height: 1;
}
.is-pass.mark { color: var(--good); background: var(--good-soft); border-radius: 50%; }
.is-fail.mark { color: var(--on-strong); background: var(--bad); }
.is-error.mark { color: var(--bad); background: var(--bad-soft); outline: 1px solid var(--bad); }
.is-warn.mark { color: var(--doubt); background: var(--doubt-soft); outline: 1px solid var(--doubt); }
.is-inconclusive.mark { color: var(--open); background: var(--open-soft); outline: 1px dashed var(--open); }
.is-note.mark, .is-not-run.mark, .is-not-applicable.mark { color: var(--quiet); background: var(--panel); }
.change { white-space: nowrap; color: var(--quiet); }
.change .got, .step .got { color: var(--bad); font-weight: 600; }

.top {
  display: grid; grid-template-columns: minmax(23rem, 3fr) auto minmax(0, 5fr); grid-template-rows: auto 1fr; gap: 4px 32px; align-items: start;
  padding: 10px 0 8px; border-top: 4px solid var(--tone);
}
.verdict-conformant { --tone: var(--good); }
.verdict-non-conformant, .verdict-error { --tone: var(--bad); }
.verdict-incomplete { --tone: var(--open); }
.top h1 { display: flex; gap: 8px; align-items: center; color: var(--tone); }
.verdict-sign { flex: none; } .verdict-sign .outline { fill: var(--tone); } .verdict-sign .glyph { stroke: var(--on-strong); }
.figures a { display: inline-block; min-width: 24px; }
.top .target, .first p { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; overflow: hidden; } .first p:only-of-type { -webkit-line-clamp: 4; }
.top .target { font-weight: 600; } .top .target code { font-size: .9286rem; }
.figures { display: flex; gap: 4px 24px; flex-wrap: wrap; }
.figures div { display: flex; flex-direction: column-reverse; }
.figures dt { color: var(--quiet); font-size: .8571rem; white-space: nowrap; }
.figures dd { font-size: 1.7143rem; line-height: 1.25; font-weight: 600; font-variant-numeric: tabular-nums; }
.figures a { color: inherit; text-decoration: none; } .figures a:hover { text-decoration: underline; }
.tone-bad { color: var(--bad); } .tone-doubt { color: var(--doubt); } .tone-open { color: var(--open); }
.first h2 { font-size: .8571rem; line-height: 24px; color: var(--quiet); font-weight: 600; } .first h2 a { display: inline-block; min-width: 24px; }
.first ol { padding: 0; list-style: none; }
.first li { display: flex; gap: 8px; align-items: baseline; }
.first ol { max-height: 9.5rem; overflow-y: auto; } .first li a { flex: 0 1 auto; min-width: 24px; line-height: 24px; color: var(--ink); }
.first li .mark { align-self: flex-start; margin-top: 3px; } .first .quiet { flex: 0 0 auto; max-width: 40%; margin-left: auto; text-align: right; }
.first { grid-row: span 2; min-width: 0; }
.reasons { grid-column: 1 / 3; color: var(--quiet); font-size: .9286rem; }

.toolbar {
  position: sticky; top: 0; z-index: 3; display: flex; flex-wrap: wrap; gap: 4px 14px; align-items: center; padding: 6px 0;
  background: var(--paper); border-top: 1px solid var(--line); border-bottom: 1px solid var(--line); font-size: .9286rem;
}
.toolbar ul { display: flex; flex-wrap: wrap; gap: 0 14px; padding: 0; list-style: none; }
.toolbar a { display: inline-block; line-height: 24px; color: var(--ink); text-decoration: none; } .toolbar a:hover { text-decoration: underline; }
.toolbar form { display: flex; gap: 6px; align-items: center; margin-left: auto; }
.toolbar input, .toolbar select, button {
  font: inherit; height: 2rem; padding: 0 8px; color: var(--ink); background: var(--paper); border: 1px solid var(--edge);
  border-radius: 6px; max-width: 100%;
}
.toolbar input { width: 8.5rem; } .toolbar select { width: 9.2rem; }
.toolbar input::placeholder { color: var(--quiet); opacity: 1; }
.toolbar [data-status] { font-weight: 600; white-space: nowrap; } .toolbar [data-status]:empty { display: none; }
body:not(.is-filtered) button[type=reset] { display: none; }
button { cursor: pointer; } button:hover { background: var(--hover); }
.keys { color: var(--quiet); font-size: .8571rem; display: flex; gap: 7px; white-space: nowrap; }
kbd { padding: 0 5px; border: 1px solid var(--line); border-bottom-width: 2px; border-radius: 4px; background: var(--panel); color: var(--ink); }
main > section { margin-top: 24px; scroll-margin-top: 3.5rem; }
section > * + * { margin-top: 8px; }
footer { margin-top: 32px; padding-top: 8px; border-top: 1px solid var(--line); color: var(--quiet); font-size: .8571rem; }
@media (max-width: 64rem) {
  .top { grid-template-columns: minmax(0, 1fr) auto; } .first { grid-column: 1 / -1; grid-row: auto; } .reasons { grid-column: 1 / -1; grid-row: auto; }
  .keys { display: none; }
}
@media (max-width: 48rem) {
  body { padding: 0 12px 32px; }
  .top { grid-template-columns: minmax(0, 1fr); gap: 8px; padding: 10px 0 8px; }
  .figures { gap: 4px 16px; justify-content: space-between; } .figures dd { font-size: 1.2857rem; } .figures dt { font-size: .7857rem; }
  .toolbar { position: static; }
  .toolbar form { width: 100%; margin: 0; flex-wrap: wrap; } .toolbar input, .toolbar select { flex: 1 1 6rem; width: 4rem; min-width: 0; padding: 0 4px; }
  .toolbar input, .toolbar select, button { height: 2.5rem; }
  .first ol { max-height: 8.5rem; } .first li { gap: 0 8px; } .first .quiet { max-width: 35%; } .first li a { flex: 1 1 0; }
}

.rows { border: 1px solid var(--line); border-radius: 8px; }
.row + .row { border-top: 1px solid var(--line); }
.row > summary {
  display: flex; gap: 4px 10px; align-items: center; padding: 7px 12px; cursor: pointer; list-style: none; border-radius: 7px;
}
.row > summary:hover { background: var(--hover); }
.row > summary::-webkit-details-marker { display: none; }
.row > summary::before { content: ""; flex: none; width: 6px; height: 6px; border: solid var(--quiet); border-width: 0 1.5px 1.5px 0; transform: rotate(-45deg); }
.row[open] > summary::before { transform: rotate(45deg); }
.row[open] > summary { border-bottom: 1px solid var(--line); border-radius: 7px 7px 0 0; background: var(--panel); }
.row h3 { flex: 1; min-width: 0; }
.advice { display: block; font-weight: 400; font-size: .9286rem; color: var(--quiet); overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.row[open] > summary .advice { display: none; }
.row .facts { display: flex; gap: 4px 16px; align-items: baseline; color: var(--quiet); font-size: .9286rem; white-space: nowrap; }
.tag { font-size: .8571rem; padding: 1px 6px; border: 1px solid var(--line); border-radius: 4px; color: var(--quiet); }
.body { padding: 12px 12px 16px 40px; }
.body > * + * { margin-top: 12px; }
.body h4 + * { margin-top: 6px; }
.fix { padding: 8px 12px; border-left: 3px solid var(--open); background: var(--open-soft); border-radius: 0 6px 6px 0; }
.sheet { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 4px 16px; }
.sheet dt { color: var(--quiet); max-width: 12rem; }
.sheet dd strong { text-decoration: underline; text-underline-offset: .2em; }
.chips { display: flex; flex-wrap: wrap; gap: 4px; padding: 0; list-style: none; font-size: .8571rem; }
.chips li { padding: 1px 8px; border: 1px solid var(--line); border-radius: 999px; background: var(--panel); }
.findings, .steps { padding: 0; list-style: none; }
.findings > li, .steps > li { border-top: 1px solid var(--line); padding: 4px 0; }
.findings .chips { margin-top: 4px; }
.finding > summary, .step > summary, .accept > summary, .notes > summary { cursor: pointer; }
.finding > summary > * + * { margin-left: 10px; }
.finding > * + *, .step > * + *, .accept > * + *, .custom > * + * { margin-top: 8px; }
.notes > summary { color: var(--quiet); padding: 4px 0; }
.notes .row, .custom { border: 1px solid var(--line); border-radius: 8px; margin-top: 4px; } .custom { padding: 8px 12px; }
.shell-line { display: flex; flex-wrap: wrap; gap: 6px; align-items: flex-start; margin-bottom: 8px; }
.shell-line pre { flex: 1 1 20rem; min-width: 0; }
.shell-line .quiet { flex-basis: 100%; }
pre {
  margin: 0; padding: 6px 10px; border-radius: 6px; border: 1px solid var(--line); background: var(--panel);
  white-space: pre-wrap; overflow-wrap: anywhere; overflow: hidden; contain: paint; tab-size: 2;
}
pre[tabindex] { max-height: 24rem; overflow: auto; }
pre.headers { color: var(--quiet); } pre.headers .name { color: var(--ink); }
.cut { font-weight: 600; }
.start-line { font-weight: 600; } .start-line .quiet { font-weight: 400; }
.exchange { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 12px; }
.exchange > div > * + * { margin-top: 6px; }
.text-body figcaption { color: var(--quiet); font-size: .8571rem; margin-bottom: 2px; }
@media (max-width: 64rem) { .exchange { grid-template-columns: minmax(0, 1fr); } }
@media (max-width: 48rem) {
  .row > summary { flex-wrap: wrap; padding: 8px; } .row h3 { flex-basis: calc(100% - 60px); }
  .row .facts { flex-basis: 100%; flex-wrap: wrap; padding-left: 42px; gap: 2px 12px; white-space: normal; } .row .change { white-space: normal; }
  .body { padding: 8px 8px 12px; } .advice { white-space: normal; }
  .sheet { grid-template-columns: minmax(0, 1fr); gap: 0; } .sheet dd { margin-bottom: 6px; }
  .shell-line pre { flex-basis: 100%; }
}

.scroll { overflow-x: auto; border: 1px solid var(--line); border-radius: 8px; position: relative; }
.grid { width: 100%; border-collapse: separate; border-spacing: 2px; font-size: .8571rem; padding: 4px; }
.grid th { font-weight: 500; } .grid thead th { color: var(--quiet); padding: 2px 4px; vertical-align: bottom; }
.grid th[scope=row], .grid thead th:first-child { text-align: left; position: sticky; left: 0; z-index: 1; background: var(--paper); padding: 0 8px 0 4px; white-space: nowrap; }
.grid th .mark { width: 1.0714rem; height: 1.0714rem; font-size: .6429rem; }
.grid .group th { text-align: left; color: var(--quiet); font-weight: 600; padding: 6px 4px 0; position: static; }
.grid td { text-align: center; border-radius: 4px; height: 1.5714rem; min-width: 3.7143rem; padding: 0; line-height: 1; background: var(--panel); color: var(--quiet); font-variant-numeric: tabular-nums; }
.grid td a { display: flex; align-items: center; justify-content: center; min-height: 1.7143rem; color: inherit; text-decoration: none; border-radius: 4px; font-weight: 700; }
.grid td a:hover { outline: 2px solid currentColor; }
.grid tfoot th, .grid tfoot td { color: var(--ink); font-weight: 600; }
.grid td.cell-pass, .grid td.seen { background: var(--good-soft); color: var(--good); }
.grid td.cell-fail { background: var(--bad); color: var(--on-strong); }
.grid td.cell-error { background: var(--bad-soft); color: var(--bad); }
.grid td.cell-warn { background: var(--doubt-soft); color: var(--doubt); }
.grid td.cell-inconclusive { background: var(--open-soft); color: var(--open); }
.timeline svg { display: block; background: var(--panel); border-radius: 6px; }
.timeline figcaption { display: flex; justify-content: space-between; gap: 12px; color: var(--quiet); font-size: .8571rem; padding-top: 4px; }
.bar-ok { fill: var(--edge); background: var(--edge); } .bar-throttled { fill: var(--doubt); background: var(--doubt); } .bar-bad { fill: var(--bad); background: var(--bad); }
.timeline .latency { stroke: var(--link); stroke-width: 1.5; vector-effect: non-scaling-stroke; }
.key { display: inline-block; width: .7em; height: .7em; border-radius: 2px; margin-left: .8em; } .key.latency { height: 2px; vertical-align: middle; background: var(--link); }
@media (max-width: 48rem) {
  .area span { writing-mode: vertical-rl; transform: rotate(180deg); }
  .grid { border-spacing: 1px; padding: 2px; width: 100%; } .grid td { min-width: 24px; }
  .grid thead th:not(:first-child) { padding: 2px 0; white-space: nowrap; font-size: .7143rem; }
  .grid th[scope=row] { white-space: normal; min-width: 7rem; line-height: 1.2; padding: 2px; }
  .timeline figcaption { flex-wrap: wrap; }
}

@media print {
  :root {
    color-scheme: light;
    --paper: #ffffff; --panel: #f7f8f9; --line: #c4c9d1; --edge: #c4c9d1; --ink: #000000; --quiet: #444b55; --link: #000000;
    --good: #1a6b3c; --good-soft: #e4f4ea; --bad: #b3261e; --bad-soft: #fdebea; --doubt: #855000; --doubt-soft: #fff3dc;
    --open: #1f5499; --open-soft: #e8f0fb; --on-strong: #ffffff; --mark: #ffe69c; --on-mark: #000000;
  }
  @page { margin: 14mm 12mm; }
  html { font-size: 9pt; }
  body { max-width: none; padding: 0; }
  * { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  .toolbar, button, .skip { display: none !important; }
  .scroll, .first ol { overflow: visible; max-height: none; }
  .grid th[scope=row] { position: static; }
  pre { max-height: none !important; overflow: visible !important; contain: none; }
  .top, tr, .timeline { break-inside: avoid; }
  h2, h3, h4, summary, .start-line { break-after: avoid; }
}
`;
