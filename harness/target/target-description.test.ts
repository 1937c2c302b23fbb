import { it } from 'vitest';
import { base, expectRefusal, type Refusal } from './refusals-for-tests.ts';

const refusals: readonly Refusal[] = [
  [
    'a bad base URL',
    'baseUrl: host:80\n',
    'target.yaml:1:10 (baseUrl): the base URL has no scheme',
    'write https://host:80',
  ],
  [
    'authorization without {key}',
    `${base}authorization: Bearer\n`,
    'target.yaml:2:16 (authorization)',
    "'Bearer {key}'",
  ],
  [
    'a missing variable',
    `${base}keys:\n  scoped: \${NOPE}\n`,
    'target.yaml:3:11 (keys.scoped): the environment variable NOPE is not set',
    'keys.scoped reads it',
    'export NOPE=…',
  ],
  [
    'an empty variable',
    `${base}keys:\n  scoped: \${EMPTY}\n`,
    'target.yaml:3:11 (keys.scoped): the environment variable EMPTY is empty',
  ],
  [
    'an expression',
    `${base}keys:\n  scoped: \${A:-b}\n`,
    'target.yaml:3:11 (keys.scoped)',
    'without the name of an environment variable',
    '$${ for a literal ${',
  ],
  [
    'an open expression',
    `${base}keys:\n  scoped: '\${A'\n`,
    'target.yaml:3:11 (keys.scoped)',
    'without the name of an environment variable',
  ],
  [
    'a key with a line break',
    `${base}keys:\n  scoped: "hush\\n"\n`,
    'target.yaml:3:11 (keys.scoped): the key contains a line break',
    'remove the line break',
  ],
  [
    'a key with a control character',
    `${base}keys:\n  scoped: \${CONTROL}\n`,
    'target.yaml:3:11 (keys.scoped): the key contains a control character',
  ],
  [
    'a key outside Latin-1',
    `${base}keys:\n  scoped: hush—\n`,
    'target.yaml:3:11 (keys.scoped): the key contains a character outside Latin-1',
  ],
  [
    'a key with white space',
    `${base}keys:\n  scoped: ' hush'\n`,
    'target.yaml:3:11 (keys.scoped): the key starts or ends with white space',
  ],
  ['an empty key', `${base}keys:\n  scoped: ''\n`, 'target.yaml:3:11 (keys.scoped): the key is empty'],
  [
    'the same key twice',
    `${base}keys:\n  scoped: hush\n  unscoped: hush\n`,
    'target.yaml:4:13 (keys.unscoped)',
    'the same as the scoped one',
    'without catalog:read',
  ],
  [
    'an Authorization header',
    `${base}headers:\n  Authorization: hush\n`,
    'target.yaml:3:18 (headers.Authorization)',
    'give the keys under keys',
  ],
  [
    'a header of the connection',
    `${base}headers:\n  content-type: text/xml\n`,
    'target.yaml:3:17 (headers.content-type)',
    'remove it',
  ],
  [
    'a header name that is none',
    `${base}headers:\n  'a b': c\n`,
    'target.yaml:3:10 (headers["a b"]): "a b" is not a header name',
  ],
  [
    'a header twice',
    `${base}headers:\n  X-a: b\n  x-A: b\n`,
    'target.yaml:4:3 (headers.x-A): the header x-A stands twice',
  ],
];

it.each(refusals)('refuses %s', (_, text, ...parts) => expectRefusal(text, parts));
