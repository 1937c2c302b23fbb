/** Causes, findings and what could not be judged. */
export const cardStyle: string = `
.mark {
  display: inline-flex; align-items: center; justify-content: center; flex: none; width: 1.5em; height: 1.5em;
  border-radius: 4px; font-weight: 700; font-size: .85rem; line-height: 1; border: 2px solid transparent;
}
.is-pass.mark { color: var(--good); background: var(--good-soft); border-radius: 50%; }
.is-fail.mark { color: var(--on-strong); background: var(--bad); }
.is-error.mark { color: var(--bad); background: var(--bad-soft); border: 2px double var(--bad); }
.is-warn.mark { color: var(--doubt); background: var(--doubt-soft); border-color: var(--doubt); border-radius: 2px 2px 50% 50%; }
.is-inconclusive.mark { color: var(--open); background: var(--open-soft); border: 2px dashed var(--open); }
.is-note.mark { color: var(--quiet); border-color: var(--quiet); border-radius: 50%; }
.is-not-applicable.mark, .is-not-run.mark { color: var(--quiet); }
.legend .is-none { color: var(--quiet); }
.legend .is-none .mark { color: var(--quiet); background: none; border-color: transparent; }

.card { padding: .75rem 1rem; border: 1px solid var(--line); border-left: 5px solid var(--tone); border-radius: 8px; background: var(--paper); }
.card.is-fail, .card.is-error { --tone: var(--bad); }
.card.is-warn { --tone: var(--doubt); }
.card.is-note { --tone: var(--quiet); }
.card.is-inconclusive { --tone: var(--open); border-left-style: dashed; }
.card > * + * { margin-top: .5rem; }
.card .head, .card summary { display: flex; gap: .6rem; align-items: flex-start; }
.card summary { cursor: pointer; list-style: none; padding: .1rem 0; }
.card summary::-webkit-details-marker { display: none; }
.card summary::before { content: "▸"; color: var(--quiet); }
.card[open] > summary::before { content: "▾"; }
.card h3 { flex: 1; min-width: 0; font-weight: 500; }
.card h3 .tag { font-weight: 700; color: var(--tone); }
.card h3 .operation { font-weight: 700; }
.card:target { box-shadow: 0 0 0 3px var(--focus); }
details.card > *:not(summary) { margin-left: 1.4rem; }

.difference { display: grid; gap: 2px; font: .9rem/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; }
.difference > div { display: flex; gap: .75rem; padding: .1rem .6rem; border-radius: 4px; }
.difference dt { flex: 0 0 7.5em; white-space: nowrap; }
.difference dd { min-width: 0; }
.difference .expected { background: var(--good-soft); } .difference .expected dt, .difference .expected strong { color: var(--good); }
.difference .got { background: var(--bad-soft); } .difference .got dt, .difference .got strong { color: var(--bad); }
.difference strong { text-decoration: underline; text-underline-offset: .2em; }
.where { display: flex; flex-wrap: wrap; gap: .35rem .75rem; align-items: baseline; }
.operations { display: flex; flex-wrap: wrap; gap: .35rem; padding: 0; list-style: none; font-size: .9rem; }
.operations li { padding: .1rem .5rem; border: 1px solid var(--line); border-radius: 999px; background: var(--panel); }
.operations .differs { color: var(--quiet); }
.cases { font-size: .9rem; }
.cases > li + li { margin-top: .4rem; }
.cases .operations { margin-top: .2rem; }
.remedy { font-weight: 600; }

.shell-line { display: flex; flex-wrap: wrap; gap: .5rem; align-items: flex-start; }
.shell-line pre { flex: 1 1 20rem; min-width: 0; }
.shell-line .remark { flex-basis: 100%; }
pre {
  margin: 0; padding: .5rem .7rem; border-radius: 6px; border: 1px solid var(--line); background: var(--panel);
  white-space: pre-wrap; overflow-wrap: anywhere; overflow: hidden; contain: paint; tab-size: 2;
}
pre[tabindex] { max-height: 26rem; overflow: auto; }
pre.headers { color: var(--quiet); }
pre.headers .name { color: var(--ink); }
mark { background: var(--mark); color: var(--on-mark); padding: 0 .2em; border-radius: 3px; font-weight: 700; }
.cut { font-weight: 700; }
.start-line { font-weight: 600; }
.start-line mark { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; font-size: .85rem; }
.exchange { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 1rem; }
.exchange section > * + *, .explanation > * + * { margin-top: .4rem; }
.text-body figcaption { color: var(--quiet); font-size: .875rem; margin-bottom: .2rem; }
.explanation { padding: .6rem .8rem; border-radius: 6px; background: var(--panel); font-size: .9rem; }
@media (max-width: 60rem) { .exchange { grid-template-columns: minmax(0, 1fr); } }
@media (max-width: 48rem) {
  .card { padding: .6rem .7rem; }
  details.card > *:not(summary) { margin-left: 0; }
  .difference dt { flex-basis: auto; }
  .difference > div { flex-wrap: wrap; gap: 0 .75rem; }
  .shell-line pre { flex-basis: 100%; }
}
`;
