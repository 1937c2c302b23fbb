import type { PassiveCheck } from '../../harness/checks/check.ts';
import { errorTexts, isEchoed } from '../../harness/checks/error-text.ts';
import { everyAnswer } from '../../harness/checks/every-answer.ts';
import { noErrorSeen } from '../../harness/checks/no-error-seen.ts';

/** The part of a text that is a stack trace. */
interface StackTrace {
  readonly language: string;
  readonly piece: string;
}

/** Each is a line that only a machine writes: words such as "at", "error" or "line 3" alone say nothing. */
const patterns: ReadonlyArray<readonly [language: string, pattern: RegExp]> = [
  [
    'JavaScript',
    /\bat (?:async |new )?(?:[\w$.<>[\] ]{1,120} \()?(?:(?:file|webpack|webpack-internal):\/\/[^\s()]{1,300}|node:[\w/]{1,100}|<anonymous>|(?:[A-Za-z]:)?[^\s():]{0,300}[/\\][^\s():]{1,300}|[\w.-]{1,100}\.[cm]?[jt]sx?):\d+:\d+/,
  ],
  [
    'Java',
    /\bat (?:[\w.@-]{1,100}\/{1,2}){0,2}[\w$]{1,100}(?:\.[\w$<>]{1,100}){1,20}\((?:[\w$-]{1,100}\.(?:java|kt|scala|groovy|clj):\d+|Native Method|Unknown Source)\)/,
  ],
  ['Java', /^Caused by: (?:[a-z]\w{0,50}\.){1,10}[A-Z][\w$]{0,100}/m],
  ['Python', /Traceback \(most recent call last\)/],
  ['Python', /\bFile "[^"\n]{1,300}", line \d+, in \S/],
  [
    '.NET',
    /^[ \t]{0,8}at [\w`<>+[\],]{1,100}(?:\.[\w`<>+[\],]{1,100}){1,20}\([^()\n]{0,300}\)(?: in [^\n]{1,300}:line \d+|[ \t\r]{0,8}$)/m,
  ],
  ['.NET', /--- End of (?:inner exception )?stack trace/],
  ['Go', /\bgoroutine \d+ \[[a-z][\w ,]{0,60}\]:/],
  ['Go', /\.go:\d+ \+0x[0-9a-f]+/],
  ['PHP', /#\d+ (?:[^\s():]{1,300}\(\d+\): \S|\{main\})/],
  ['PHP', /\.(?:php|phtml|inc) on line \d+/],
  ['Ruby', /\.(?:rb|erb|ru|rake):\d+:in [`'][^`'\n]{1,200}'/],
  ['Rust', /\bthread '[^'\n]{1,100}' (?:\(\d+\) )?panicked at /],
  ['Elixir', /\(\w{1,60} [\d.]{1,20}\) [\w./-]{1,200}\.exs?:\d+: /],
];

/** The first stack trace in a text, in any language. */
function findStackTrace(text: string): StackTrace | undefined {
  for (const [language, pattern] of patterns) {
    const piece = pattern.exec(text)?.[0];
    if (piece !== undefined) return { language, piece };
  }
  return undefined;
}

export const check: PassiveCheck = everyAnswer({
  requirement: 'HYGIENE-1',
  title: 'no error body contains a stack trace',
  notApplicableReason: noErrorSeen,
  statement: 'An error body contains a stack trace',
  expected: 'a message for the client',
  look: (exchange) => {
    const texts = errorTexts(exchange);
    const trace = texts
      ?.map(findStackTrace)
      .find((found) => found !== undefined && !isEchoed(found.piece, exchange));
    return trace === undefined ? texts && 'holds' : `a stack trace of ${trace.language}`;
  },
});
