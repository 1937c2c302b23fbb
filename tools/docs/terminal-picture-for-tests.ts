import wrapAnsi from 'wrap-ansi';
import { toXml } from 'xast-util-to-xml';
import { x } from 'xastscript';

/** Colours of a dark terminal by the SGR numbers that the terminal reporter uses. */
const colours: Readonly<Record<string, string>> = {
  31: '#ff7b72',
  32: '#7ee787',
  33: '#e3b341',
  36: '#76e3ea',
  90: '#8b949e',
};
const [background, foreground] = ['#0d1117', '#e6edf3'];

const columns = 104;
const [width, height, margin] = [8.43, 20, 20];

interface Style {
  readonly fill: string;
  readonly bold: boolean;
  readonly dim: boolean;
}

interface Piece extends Style {
  readonly text: string;
}

const plain: Style = { fill: foreground, bold: false, dim: false };

/** Text with ANSI colours as an SVG that looks like the terminal that would show it. */
export function renderTerminalPicture(command: string, output: string): string {
  const lines = linesOf(`\u001b[2m$\u001b[22m ${command}\n${output}`);
  const box = { width: columns * width + 2 * margin, height: lines.length * height + 2 * margin };
  return toXml(
    x(
      'svg',
      { xmlns: 'http://www.w3.org/2000/svg', viewBox: `0 0 ${box.width} ${box.height}`, ...attributes(box) },
      [
        x('title', `What a terminal shows of: ${command}`),
        x('rect', { ...attributes(box), rx: '8', fill: background }),
        x(
          'g',
          {
            'font-family': "ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace",
            'font-size': '14',
          },
          lines.flatMap((pieces, row) => texts(pieces, margin + (row + 0.75) * height)),
        ),
      ],
    ),
  );
}

function attributes(numbers: Readonly<Record<string, number>>): Record<string, string> {
  return Object.fromEntries(Object.entries(numbers).map(([name, value]) => [name, value.toFixed(1)]));
}

/** A text for each piece, stretched to the columns that it takes, whatever font the reader has. */
function texts(pieces: readonly Piece[], y: number): ReturnType<typeof x>[] {
  let column = 0;
  return pieces.flatMap(({ text, fill, bold, dim }) => {
    const start = column;
    column += [...text].length;
    const shown = text.trim();
    if (shown === '') return [];
    const at = start + [...text].length - [...text.trimStart()].length;
    return x(
      'text',
      {
        'xml:space': 'preserve',
        ...attributes({ x: margin + at * width, y, textLength: [...shown].length * width }),
        fill,
        ...(bold ? { 'font-weight': '700' } : {}),
        ...(dim ? { opacity: '0.65' } : {}),
      },
      shown,
    );
  });
}

/** The lines as a terminal of this many columns would break them. */
function linesOf(output: string): ReadonlyArray<readonly Piece[]> {
  let style = plain;
  const broken = wrapAnsi(output, columns, { hard: true, wordWrap: false, trim: false });
  return broken.split('\n').map((line) =>
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the escape character is what begins a colour
    line.split(/\u001b\[([\d;]*)m/).flatMap((part, index) => {
      if (index % 2 === 0) return part === '' ? [] : { ...style, text: part };
      style = part.split(';').reduce(styled, style);
      return [];
    }),
  );
}

function styled(style: Style, code: string): Style {
  switch (code) {
    case '':
    case '0':
      return plain;
    case '1':
      return { ...style, bold: true };
    case '2':
      return { ...style, dim: true };
    case '22':
      return { ...style, bold: false, dim: false };
    case '39':
      return { ...style, fill: foreground };
    default:
      return { ...style, fill: colours[code] ?? style.fill };
  }
}
