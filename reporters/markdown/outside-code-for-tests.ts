/** What a reader of CommonMark takes for prose: the text without its fenced blocks and code spans, each replaced by `⌷`. */
export function outsideCode(markdown: string): string {
  const prose: string[] = [];
  let fence: string | null = null;
  for (const line of markdown.split('\n')) {
    if (fence !== null) {
      if (/^`+$/.test(line) && line.length >= fence.length) fence = null;
      continue;
    }
    const opened = /^(`{3,})[^`]*$/.exec(line)?.[1];
    if (opened === undefined) prose.push(withoutSpans(line));
    else {
      fence = opened;
      prose.push('⌷');
    }
  }
  if (fence !== null) throw new Error('a fenced block is not closed');
  return prose.join('\n');
}

/** A run of backticks opens a span that the next run of the same length ends; without one it is text. */
function withoutSpans(line: string): string {
  const runs = [...line.matchAll(/`+/g)].map(({ 0: run, index }) => ({ length: run.length, index }));
  let prose = '';
  let from = 0;
  for (let at = 0; at < runs.length; at++) {
    const opening = runs[at];
    const end = runs.findIndex((run, index) => index > at && run.length === opening?.length);
    const closing = runs[end];
    if (opening === undefined || closing === undefined) continue;
    prose += `${line.slice(from, opening.index)}⌷`;
    from = closing.index + closing.length;
    at = end;
  }
  return prose + line.slice(from);
}
