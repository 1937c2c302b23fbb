import { it } from 'vitest';
import { ids } from '../../spec/operation-ids-for-tests.ts';
import { base, expectRefusal, type Refusal } from './refusals-for-tests.ts';

const refusals: readonly Refusal[] = [
  [
    'authorization not quoted',
    `${base}authorization: {key}\n`,
    'target.yaml:2:16: {key} is not quoted',
    "quote it: '{key}'",
  ],
  [
    'a name not quoted',
    `${base}bodies:\n  ${ids.initiate}: { a: {login} }\n`,
    'target.yaml:3:29: {login} is not quoted',
    "quote it: '{login}'",
  ],
  [
    'what JSON cannot hold',
    `${base}bodies:\n  ${ids.initiate}: { a: .nan }\n`,
    `target.yaml:3:29 (bodies.${ids.initiate}.a): the value cannot be written in JSON`,
  ],
  [
    'a circle',
    `${base}bodies:\n  ${ids.initiate}: &a { a: *a }\n`,
    `bodies.${ids.initiate}.a): the value contains itself`,
  ],
  [
    'a key twice',
    `${base}baseUrl: https://other\n`,
    'target.yaml:2:1: the key baseUrl stands twice',
    'remove one of the two',
  ],
  [
    'a tab',
    `${base}keys:\n\tscoped: hush\n`,
    'target.yaml:3:1: a tab is used to indent',
    'indent with spaces',
  ],
  [
    'several documents',
    `${base}---\nkeys: {}\n`,
    'target.yaml:2:1: the file holds several YAML documents',
    'remove the line ---',
  ],
  ['an empty file', '', 'target.yaml: the file is empty', 'commerce-conformance init'],
  ['nothing but comments', '# nothing\n', 'target.yaml: the file is empty'],
  [
    'a variable in a flow map',
    `${base}keys: { scoped: \${COMMERCE_KEY} }\n`,
    'target.yaml:2:18: a value with braces is not quoted',
    `'\${NAME}'`,
  ],
  ['a tag', `${base}keys: { scoped: !env hush }\n`, 'target.yaml:2:17: YAML tags (!name) are not read'],
  ['an alias without anchor', `${base}keys: *hush\n`, 'target.yaml: a YAML alias'],
  [
    'an open quotation mark',
    `${base}keys: { scoped: "hush }\n`,
    'a quotation mark, bracket or comma is missing',
  ],
  ['text after a quoted text', `${base}keys: { scoped: 'a' hush }\n`, 'target.yaml:2:'],
  [
    'bad indentation',
    `${base}keys:\n  scoped: a\n unscoped: b\n`,
    'target.yaml:4:',
    'not valid YAML',
    'check indentation',
  ],
  ['two colons', `${base}keys: scoped: hush\n`, 'target.yaml:2:7: the file is not valid YAML'],
  ['no colon', `${base}keys hush\n`, 'target.yaml:2:1: a colon is missing', 'write name: value'],
];

it.each(refusals)('refuses %s', (_, text, ...parts) => expectRefusal(text, parts));
