/** The lines of a Markdown table, with an empty one below. */
export function table(head: readonly string[], rows: ReadonlyArray<readonly string[]>): readonly string[] {
  const lines = rows.map((cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`);
  return [`| ${head.join(' | ')} |`, `|${head.map(() => '---').join('|')}|`, ...lines, ''];
}
