/** The matrix, the ledger and the plots. */
export const tableStyle: string = `
.scroll { position: relative; overflow-x: auto; border: 1px solid var(--line); border-radius: 8px; }
table { border-collapse: collapse; font-size: .9rem; }
.scroll table { width: 100%; }
.scroll th, .scroll td { border-bottom: 1px solid var(--line); padding: .15rem .3rem; text-align: center; }
.scroll tbody:last-child tr:last-child > * { border-bottom: 0; }
.scroll th[scope=row], .scroll thead th:first-child { text-align: left; position: sticky; left: 0; z-index: 1; background: var(--paper); }
.scroll th[scope=row] { font-weight: 500; }
.scroll tbody tr:hover > * { background: var(--panel); }
.row-name { display: flex; gap: .5rem; align-items: center; min-width: 9rem; }
.row-name .mark { font-size: .75rem; }
.group th { text-align: left; background: var(--panel); font-weight: 700; position: static; }
.matrix td a { display: inline-flex; padding: .15rem; text-decoration: none; border-radius: 6px; }
.matrix td a:hover { background: var(--line); }
.matrix td .mark { font-size: .9rem; }
.matrix td > .mark { margin: .15rem; }
.matrix td { line-height: 1; }
.ledger td { font-variant-numeric: tabular-nums; white-space: nowrap; }
.ledger .observed { color: var(--good); } .ledger .unobserved { color: var(--quiet); }
.reasons { columns: 22rem; font-size: .875rem; }
.reasons div { display: flex; gap: .5rem; break-inside: avoid; }
.reasons dt { font-weight: 700; }
.plots { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 22rem), 1fr)); gap: 1rem 2rem; }
.plot { width: 100%; align-self: start; }
.plot caption { text-align: left; font-weight: 600; padding-bottom: .25rem; }
.plot th { width: 3.5rem; text-align: left; font-weight: 500; }
.plot td { display: flex; gap: .75rem; align-items: center; padding: .15rem 0; }
.plot td span { flex: 0 0 5rem; font-variant-numeric: tabular-nums; }
.plot .bar { flex: 1; min-width: 0; }
.rail { fill: var(--panel); } .latency { fill: var(--open); }
.status-1, .status-3 { fill: var(--quiet); } .status-2 { fill: var(--good); } .status-4 { fill: var(--doubt); }
.status-5, .status-none { fill: var(--bad); }
.run { display: grid; gap: .4rem; font-size: .9rem; }
.run div { display: grid; grid-template-columns: 13rem minmax(0, 1fr); gap: .75rem; }
.run dt { color: var(--quiet); }
@media (min-width: 48.01rem) { .area span { white-space: nowrap; } }
@media (max-width: 48rem) {
  .area { vertical-align: bottom; }
  .area span { writing-mode: vertical-rl; transform: rotate(180deg); }
  .scroll th, .scroll td { padding: .1rem .05rem; }
  .scroll th[scope=row] { font-size: .75rem; line-height: 1.25; padding-left: .3rem; }
  .row-name { min-width: 7rem; gap: .3rem; }
  .ledger td, .ledger th[scope=col] { padding: .1rem .3rem; font-size: .8rem; white-space: nowrap; }
  .run div { grid-template-columns: minmax(0, 1fr); gap: 0; }
}
`;
