import type { PassiveCheck } from '../../harness/checks/check.ts';
import { errorTexts, isEchoed } from '../../harness/checks/error-text.ts';
import { everyAnswer, noErrorSeen } from '../../harness/checks/every-answer.ts';

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

export const check: PassiveCheck = everyAnswer({
  requirement: 'HYGIENE-1',
  title: 'no error body contains a stack trace',
  notApplicableReason: noErrorSeen,
  statement: 'An error body contains a stack trace',
  expected: 'a message for the client',
  look: (exchange) => {
    const texts = errorTexts(exchange);
    const traces = texts?.map((text) => {
      const first = patterns.find(([, pattern]) => pattern.test(text));
      return first && !isEchoed(first[1].exec(text)?.[0] ?? '', exchange) ? first[0] : undefined;
    });
    const language = traces?.find((one) => one !== undefined);
    return language === undefined ? texts && 'holds' : `a stack trace of ${language}`;
  },
});
