/** Rows that open, and the evidence in them. */
export const rowStyle: string = `
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
`;
