import { it } from 'vitest';
import { ids } from '../../spec/operation-ids-for-tests.ts';
import { base, expectRefusal, type Refusal } from './refusals-for-tests.ts';

const refusals: readonly Refusal[] = [
  [
    'a missing baseUrl',
    'keys: {}\n',
    'target.yaml:1:1 (baseUrl): baseUrl is missing',
    'add baseUrl: https://',
  ],
  ['a list', '- a\n', 'target.yaml:1:1: the target description must be a map (name: value), but is a list'],
  [
    'an unknown key',
    'base_url: https://host\n',
    'target.yaml:1:1 (base_url): unknown key base_url',
    'write baseUrl',
  ],
  [
    'an option at the top level',
    `${base}seed: 7\n`,
    'target.yaml:2:1 (seed)',
    'write it below options, as seed',
  ],
  [
    'a flag in its own writing',
    `${base}options:\n  report-dir: x\n`,
    'target.yaml:3:3 (options.report-dir)',
    'write reportDir',
  ],
  [
    'a key among the options',
    `${base}options:\n  key: x\n`,
    'target.yaml:3:3 (options.key)',
    'write it as keys.scoped',
  ],
  [
    'an unknown role of a key',
    `${base}keys:\n  scopd: hush\n`,
    'target.yaml:3:3 (keys.scopd)',
    'write scoped',
  ],
  ['an empty section', `${base}keys:\n`, 'target.yaml:2:1 (keys): keys is empty', 'or remove the line'],
  [
    'a number as key',
    `${base}keys:\n  scoped: 12345\n`,
    'target.yaml:3:11 (keys.scoped): keys.scoped must be text, but is a number',
    'quote it\n',
  ],
  ['a number as header', `${base}headers:\n  x-a: 12345\n`, 'target.yaml:3:8 (headers.x-a)', 'quote it\n'],
  [
    'a number as parameter',
    `${base}parameters:\n  slug: 0042\n`,
    'target.yaml:3:9 (parameters.slug): parameters.slug must be text, but is a number',
    "quote it: '0042'",
  ],
  [
    'a number for one operation',
    `${base}parameters:\n  ${ids.product}: { slug: 42 }\n`,
    `target.yaml:3:29 (parameters.${ids.product}.slug)`,
    "quote it: '42'",
  ],
  [
    'true as parameter',
    `${base}parameters:\n  slug: true\n`,
    'parameters.slug must be text, but is true',
    "quote it: 'true'",
  ],
  [
    'an empty parameter',
    `${base}parameters:\n  slug: ''\n`,
    'target.yaml:3:9 (parameters.slug): parameters.slug is empty',
  ],
  [
    'an exclusion without reason',
    `${base}exclude:\n  - class: long\n`,
    'target.yaml:3:5 (exclude[0].reason): exclude[0].reason is missing',
  ],
  [
    'an option of the wrong type',
    `${base}options:\n  rate: '5'\n  strict: yes\n  seed: 1.5\n  maxRequests: 0\n  shard: 5/\n`,
    'target.yaml:3:9 (options.rate): options.rate must be a number, but is text',
    'write it without quotes',
    'target.yaml:4:11 (options.strict)',
    'write true or false',
    'options.seed must be a whole number, but is a number with a fraction',
    'options.maxRequests must be at least 1, but is 0',
    'target.yaml:7:10 (options.shard)',
    'write it like 1/4',
  ],
];

it.each(refusals)('refuses %s', (_, text, ...parts) => expectRefusal(text, parts));
