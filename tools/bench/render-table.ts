/** A table for a terminal; columns of figures stand to the right. */
export function renderTable(head: readonly string[], rows: ReadonlyArray<readonly string[]>): string {
  const cellsOf = (column: number): readonly string[] => rows.map((row) => row[column] ?? '');
  const widths = head.map((title, column) =>
    Math.max(title.length, ...cellsOf(column).map(({ length }) => length)),
  );
  const areFigures = head.map((_title, column) => cellsOf(column).every((cell) => /^[\d.,%]*$/.test(cell)));
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, column) => {
        const width = widths[column] ?? 0;
        return areFigures[column] ? cell.padStart(width) : cell.padEnd(width);
      })
      .join('  ')
      .trimEnd();
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line), ''].join('\n');
}
