/** The grids of operations and statuses, and the timeline. */
export const gridStyle: string = `
.scroll { overflow-x: auto; border: 1px solid var(--line); border-radius: 8px; position: relative; }
.grid { width: 100%; border-collapse: separate; border-spacing: 2px; font-size: .8571rem; padding: 4px; }
.grid th { font-weight: 500; } .grid thead th { color: var(--quiet); padding: 2px 4px; vertical-align: bottom; }
.grid th[scope=row], .grid thead th:first-child { text-align: left; position: sticky; left: 0; z-index: 1; background: var(--paper); padding: 0 8px 0 4px; white-space: nowrap; }
.grid th .mark { width: 1.0714rem; height: 1.0714rem; font-size: .6429rem; }
.grid .group th { text-align: left; color: var(--quiet); font-weight: 600; padding: 6px 4px 0; position: static; }
.grid td { text-align: center; border-radius: 4px; height: 1.5714rem; min-width: 3.7143rem; padding: 0; line-height: 1; background: var(--panel); color: var(--quiet); font-variant-numeric: tabular-nums; }
.grid td a { display: flex; align-items: center; justify-content: center; min-height: 1.7143rem; color: inherit; text-decoration: none; border-radius: 4px; font-weight: 700; }
.grid td a:hover { outline: 2px solid currentColor; }
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
`;
