import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { packageRoot } from '../../spec/package-root.ts';

/** Words that docs/glossary.md replaces, as whole words in any case, with their forms. */
const replaced: readonly RegExp[] = [
  /\bjudg(?:e[sd]?|ing|e?ments?)\b/i,
  /(?:[a-z](?:Judg)|\b(?:re|un)judg)(?:e[sd]?|ing|e?ments?)/,
  /\b(?:un)?lawful(?:ly)?\b/i,
  /\bodd(?:ly|ness)?\b|\bodd[A-Z-]/,
  /\bmend(?:s|ed|ing)?\b/i,
  /\bput to the test\b/i,
  /\banother try\b|\bma[dk]e again\b/i,
  /\brestless\b/i,
  /\bsettling\b/i,
  /\b(?:Governor|governor)s?\b/,
  /\bretreat(?:s|ed|ing)?\b/i,
  /\bworkbench(?:es)?\b/i,
  /\bCaller\b|\b(?:open|the) ?caller\b/,
  /\bTurnstiles?\b|\bturnstiles?\.(?:ts|js)\b/,
  /\blanes?\b/i,
  /\bown[ -]checks?\b|\b(?:ownChecks?|OwnChecks?)\b/,
  /\bbystanders?\b/i,
  /\bonlookers?\b/i,
  /\b(?:unkept|leftOut|toldBy|wantsAnother|wordsChanged|takenOn|tellingExchanges|tellingOrders|unforced|CannotJudge)\b/,
];

/** Fields of files that other programs read, as docs/glossary.md lists them, where code names them as fields. */
const fields =
  /(?<=[.'"]|[{,] |\$\{|\{)(?:judged|unkept|leftOut|unjudged)\b|\b(?:judged|unkept|leftOut|unjudged)(?=\??:|'|")/g;

const ignored = [
  /^docs\/glossary\.md$/,
  /^docs\/images\//,
  // Written by others, in words of their frameworks.
  /^fixtures\/stacks\/(?:nest|changes)\//,
  /^package-lock\.json$/,
  /^LICENSE$/,
  /^\.changeset\//,
  /^docs\/performance\.md$/,
  /^tools\/docs\/terms\.test\.ts$/,
];

const files = execFileSync('git', ['ls-files'], { cwd: packageRoot, encoding: 'utf8' })
  .split('\n')
  .filter((file) => /\.(?:ts|md|ya?ml|json)$/.test(file) && !ignored.some((pattern) => pattern.test(file)));

describe('terms', () => {
  test('of docs/glossary.md are the only ones in code, messages and docs', () => {
    const found = files.flatMap((file) =>
      readFileSync(join(packageRoot, file), 'utf8')
        .split('\n')
        .flatMap((line, index) => {
          // Another label of the seed would draw other keys.
          const prose = line.replaceAll(fields, '').replace("seededRandom(seed, 'odd keys')", '');
          const word = replaced.map((pattern) => pattern.exec(prose)?.[0]).find((one) => one !== undefined);
          return word === undefined ? [] : [`${file}:${index + 1}: ${word}`];
        }),
    );
    expect(found).toEqual([]);
  });

  test('are replaced in docs/glossary.md wherever this test refuses a word', () => {
    const glossary = readFileSync(join(packageRoot, 'docs/glossary.md'), 'utf8');
    for (const word of ['judge', 'lawful', 'mend', 'restless', 'settling', 'governor', 'workbench', 'caller'])
      expect(glossary).toContain(word);
  });
});
