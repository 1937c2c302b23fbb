/** Paper: light, without what is only for a screen, and nothing cut off. */
export const printStyle: string = `
@media print {
  :root {
    color-scheme: light;
    --paper: #ffffff; --panel: #f6f7f9; --line: #c4c9d1; --ink: #000000; --quiet: #444b55; --link: #000000;
    --good: #17663a; --good-soft: #e2f3e8; --bad: #b3261e; --bad-soft: #fdecea; --doubt: #7a4a00; --doubt-soft: #fff1d6;
    --open: #1d4f91; --open-soft: #e6effb; --on-strong: #ffffff; --mark: #ffe08a; --on-mark: #000000;
  }
  @page { margin: 14mm 12mm; }
  html { font-size: 9pt; }
  body { max-width: none; padding: 0; }
  .banner, .mark, .difference > div, .bar, .bar *, mark, .verdict-sign * { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  .toolbar nav, .toolbar form > :not([data-status]), button, .skip { display: none !important; }
  .toolbar { position: static; border: 0; margin: 0; padding: 0; }
  .scroll { overflow: visible; border: 0; }
  .scroll th, .scroll td { padding: .05rem .15rem; }
  .scroll th[scope=row], .scroll thead th:first-child { position: static; }
  pre { max-height: none !important; overflow: visible !important; contain: none; }
  .banner, .summary, tr, .difference, .head, .explanation, .plot { break-inside: avoid; }
  h2, h3, h4, summary, .title-line, .start-line { break-after: avoid; }
  .card summary::before { content: ""; }
  details.card > *:not(summary) { margin-left: 0; }
}
`;
