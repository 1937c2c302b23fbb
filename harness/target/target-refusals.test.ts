import { expect, it } from 'vitest';
import { ids } from '../../spec/operation-ids-for-tests.ts';
import { readText, refusalOf } from './refusals-for-tests.ts';

/** The text of a bad target file, and parts of the message that it must get. */
type Refusal = readonly [text: string, ...parts: string[]];

const whole: readonly Refusal[] = [
  ['', 'target.yaml: the file is empty', 'commerce-conformance init'],
  ['# nothing', 'target.yaml: the file is empty'],
  ['keys: {}', 'target.yaml:1:1 (baseUrl): baseUrl is missing', 'add baseUrl: https://'],
  ['- a', 'target.yaml:1:1: the target description must be a map (name: value), but is a list'],
  ['base_url: https://host', 'target.yaml:1:1 (base_url): unknown key base_url', 'write baseUrl'],
  ['baseUrl: host:80', 'target.yaml:1:10 (baseUrl): the base URL has no scheme', 'write https://host:80'],
];

/** What follows a good base URL. */
const refusals: readonly Refusal[] = [
  // Syntax.
  ['authorization: {key}', 'target.yaml:2:16: {key} is not quoted', "quote it: '{key}'"],
  [
    `bodies:\n  ${ids.initiate}: { a: {login} }`,
    'target.yaml:3:29: {login} is not quoted',
    "quote it: '{login}'",
  ],
  [
    `bodies:\n  ${ids.initiate}: { a: .nan }`,
    `target.yaml:3:29 (bodies.${ids.initiate}.a): the value cannot be written in JSON`,
  ],
  [`bodies:\n  ${ids.initiate}: &a { a: *a }`, `bodies.${ids.initiate}.a): the value contains itself`],
  [
    'baseUrl: https://other',
    'target.yaml:2:1: duplicate key baseUrl; the first is on line 1',
    'remove one of the two',
  ],
  [
    `bodies:\n  ${ids.initiate}: {}\nbodies: # found\n  ${ids.create}: {}`,
    'target.yaml:4:1: duplicate key bodies; the first is on line 2',
    'move the lines below line 4 to those below line 2, and remove line 4',
  ],
  ['keys:\n\tscoped: hush', 'target.yaml:3:1: a tab is used to indent', 'indent with spaces'],
  ['---\nkeys: {}', 'target.yaml:2:1: the file holds several YAML documents', 'remove the line ---'],
  [`keys: { scoped: \${COMMERCE_KEY} }`, 'target.yaml:2:18: a value with braces is not quoted', `'\${NAME}'`],
  ['keys: { scoped: !env hush }', 'target.yaml:2:17: YAML tags (!name) are not supported'],
  ['keys: *hush', 'target.yaml: a YAML alias'],
  ['keys: { scoped: "hush }', 'a quotation mark, bracket or comma is missing'],
  [`keys: { scoped: 'a' hush }`, 'target.yaml:2:'],
  ['keys:\n  scoped: a\n unscoped: b', 'target.yaml:4:', 'not valid YAML', 'check indentation'],
  ['keys: scoped: hush', 'target.yaml:2:7: the file is not valid YAML'],
  ['keys hush', 'target.yaml:2:1: a colon is missing', 'write name: value'],
  // The schema.
  ['seed: 7', 'target.yaml:2:1 (seed)', 'write it below options, as seed'],
  ['options:\n  report-dir: x', 'target.yaml:3:3 (options.report-dir)', 'write reportDir'],
  ['options:\n  key: x', 'target.yaml:3:3 (options.key)', 'write it as keys.scoped'],
  ['keys:\n  scopd: hush', 'target.yaml:3:3 (keys.scopd)', 'write scoped'],
  ['keys:', 'target.yaml:2:1 (keys): keys is empty', 'or remove the line'],
  [
    'keys:\n  scoped: 12345',
    'target.yaml:3:11 (keys.scoped): keys.scoped must be text, but is a number',
    'quote it\n',
  ],
  ['headers:\n  x-a: 12345', 'target.yaml:3:8 (headers.x-a)', 'quote it\n'],
  [
    'parameters:\n  slug: 0042',
    'target.yaml:3:9 (parameters.slug): parameters.slug must be text, but is a number',
    "quote it: '0042'",
  ],
  [
    `parameters:\n  ${ids.product}: { slug: 42 }`,
    `target.yaml:3:29 (parameters.${ids.product}.slug)`,
    "quote it: '42'",
  ],
  ['parameters:\n  slug: true', 'parameters.slug must be text, but is true', "quote it: 'true'"],
  [`parameters:\n  slug: ''`, 'target.yaml:3:9 (parameters.slug): parameters.slug is empty'],
  ['exclude:\n  - class: long', 'target.yaml:3:5 (exclude[0].reason): exclude[0].reason is missing'],
  [
    `options:\n  rate: '5'\n  strict: yes\n  seed: 1.5\n  maxRequests: 0\n  shard: 5/`,
    'target.yaml:3:9 (options.rate): options.rate must be a number, but is text',
    'write it without quotes',
    'target.yaml:4:11 (options.strict)',
    'write true or false',
    'options.seed must be a whole number, but is a number with a fraction',
    'options.maxRequests must be at least 1, but is 0',
    'target.yaml:7:10 (options.shard)',
    'write it like 1/4',
  ],
  // Keys, headers and variables.
  ['authorization: Bearer', 'target.yaml:2:16 (authorization)', "'Bearer {key}'"],
  [
    `keys:\n  scoped: \${NOPE}`,
    'target.yaml:3:11 (keys.scoped): the environment variable NOPE is not set',
    'keys.scoped reads it',
    'export NOPE=…',
  ],
  [`keys:\n  scoped: \${EMPTY}`, 'target.yaml:3:11 (keys.scoped): the environment variable EMPTY is empty'],
  [
    `keys:\n  scoped: \${A:-b}`,
    'target.yaml:3:11 (keys.scoped)',
    'without the name of an environment variable',
    '$${ for a literal ${',
  ],
  [
    `keys:\n  scoped: '\${A'`,
    'target.yaml:3:11 (keys.scoped)',
    'without the name of an environment variable',
  ],
  [
    'keys:\n  scoped: "hush\\n"',
    'target.yaml:3:11 (keys.scoped): the key contains a line break',
    'remove the line break',
  ],
  [`keys:\n  scoped: \${CONTROL}`, 'target.yaml:3:11 (keys.scoped): the key contains a control character'],
  ['keys:\n  scoped: hush—', 'target.yaml:3:11 (keys.scoped): the key contains a character outside Latin-1'],
  [`keys:\n  scoped: ' hush'`, 'target.yaml:3:11 (keys.scoped): the key starts or ends with white space'],
  [`keys:\n  scoped: ''`, 'target.yaml:3:11 (keys.scoped): the key is empty'],
  [
    'keys:\n  scoped: hush\n  unscoped: hush',
    'target.yaml:4:13 (keys.unscoped)',
    'the same as the scoped one',
    'without catalog:read',
  ],
  ['headers:\n  Authorization: hush', 'target.yaml:3:18 (headers.Authorization)', 'give the keys under keys'],
  ['headers:\n  Accept: text/xml', 'target.yaml:3:11 (headers.Accept)', 'the harness sends its own'],
  ['headers:\n  x-request-id: a', 'target.yaml:3:17 (headers.x-request-id)', 'the harness sends its own'],
  ['headers:\n  traceparent: a', 'target.yaml:3:16 (headers.traceparent)', 'the harness sends its own'],
  ['headers:\n  user-agent: a', 'target.yaml:3:15 (headers.user-agent)', 'userAgent'],
  ['headers:\n  content-type: text/xml', 'target.yaml:3:17 (headers.content-type)', 'remove it'],
  [`headers:\n  'a b': c`, 'target.yaml:3:10 (headers["a b"]): "a b" is not a header name'],
  ['headers:\n  X-a: b\n  x-A: b', 'target.yaml:4:3 (headers.x-A): duplicate header x-A'],
  // What the contract does not have.
  ['parameters:\n  slgu: x', 'target.yaml:3:3 (parameters.slgu): unknown parameter "slgu"', 'write slug'],
  [
    'parameters:\n  getPublicProdct: { slug: x }',
    'target.yaml:3:3 (parameters.getPublicProdct)',
    `write ${ids.product}`,
  ],
  [
    `parameters:\n  ${ids.product}: { store: x }`,
    `target.yaml:3:23 (parameters.${ids.product}.store): ${ids.product} has no path parameter "store"`,
    'use one of slug',
  ],
  [`parameters:\n  ${ids.bootstrap}: { slug: x }`, 'has no path parameter "slug"', 'remove it'],
  [
    `parameters:\n  ${ids.product}: x`,
    `target.yaml:3:21 (parameters.${ids.product})`,
    `write ${ids.product}: { slug: … }`,
  ],
  ['parameters:\n  slug: { a: b }', 'target.yaml:3:9 (parameters.slug): parameters.slug must be text'],
  ['parameters:\n  slug: ..', 'target.yaml:3:9 (parameters.slug): the value .. cannot be sent'],
  [
    'parameters:\n  slug: "\\uD800"',
    'target.yaml:3:9 (parameters.slug): the value is not well-formed Unicode',
  ],
  [
    'bodies:\n  createHostedCheckout: {}',
    'target.yaml:3:3 (bodies.createHostedCheckout): unknown operation',
    `write ${ids.create}`,
  ],
  [
    `bodies:\n  ${ids.product}: {}`,
    `target.yaml:3:3 (bodies.${ids.product}): ${ids.product} takes no body`,
    `bodies are for ${ids.initiate}`,
  ],
  [
    'exclude:\n  - { class: long, reason: x, operation: getProduct, parameter: stor }',
    'target.yaml:3:42 (exclude[0].operation)',
    `write ${ids.product}`,
    'target.yaml:3:65 (exclude[0].parameter): no operation takes values in "stor"',
    'write store',
  ],
  [
    'values:\n  - { in: slugg, value: x }',
    'target.yaml:3:11 (values[0].in): no operation takes values in "slugg"',
    'write slug',
  ],
  ['values:\n  - { in: body, value: {} }', 'target.yaml:3:5 (values[0]): a body needs an operation'],
  [
    `values:\n  - { in: body, value: {}, operation: ${ids.product} }`,
    `${ids.product} does not take values in "body"`,
  ],
  [
    `values:\n  - { in: query, value: 'a b' }\n  - { in: header, value: x }\n  - { in: slug, value: 1 }`,
    '(values[0].value): the query contains a character',
    '(values[1].value): a header needs a name',
    '(values[2].value): the value is not text',
  ],
  // What was never filled in.
  [
    `bodies:\n  ${ids.initiate}: { … }`,
    'target.yaml:3:24: { … } is a placeholder for your own value',
    'put it in, or remove the line',
  ],
  [
    `bodies: { ${ids.initiate}: { … a valid HostedLoginInitiateRequest … } }`,
    'target.yaml:2:32: { … a valid HostedLoginInitiateRequest … } is a placeholder for your own value',
    'put it in, or remove the line',
  ],
  [
    `parameters: { ${ids.product}: { slug: <one that exists> } }`,
    `(parameters.${ids.product}.slug): <one that exists> is a placeholder for your own value`,
    'put it in, or remove the line',
  ],
  // Captures.
  [
    `bodies:\n  ${ids.initiate}:\n    a: [1, 'x {logn} y']\ncaptures: { login: { from: ${ids.create}, pointer: /a } }`,
    `target.yaml:4:12 (bodies.${ids.initiate}.a[1]): no capture defines {logn}`,
    'write login',
  ],
  [
    'captures:\n  sessionId: data.id',
    'target.yaml:3:14 (captures.sessionId): "data.id" is not a JSON Pointer',
    'write /data/id',
  ],
  ['captures:\n  sessionId: $.data[0].id', 'write /data/0/id'],
  ['captures:\n  sessionId: /a~b', 'writes ~ as ~0', 'write /a~0b'],
  [
    `captures:\n  a: { from: ${ids.initiate} }`,
    'target.yaml:3:6 (captures.a.pointer): captures.a.pointer is missing',
    'add pointer: /state',
  ],
  [
    'captures:\n  a: { from: initiateLogin, pointer: /a }',
    'target.yaml:3:14 (captures.a.from): unknown operation "initiateLogin"',
    `write ${ids.initiate}`,
  ],
  [
    'captures:\n  loginState: /state',
    'target.yaml:3:15 (captures.loginState)',
    'write loginState: { from: <operationId>, pointer: /state }',
  ],
  [
    `captures:\n  unique: { from: ${ids.initiate}, pointer: /a }`,
    'target.yaml:3:3 (captures.unique): unique cannot be captured',
  ],
  [
    `captures:\n  'a b': { from: ${ids.initiate}, pointer: /a }`,
    'target.yaml:3:3 (captures["a b"]): "a b" cannot be the name of a captured value',
  ],
  [
    `bodies:\n  ${ids.initiate}: { s: '{b}' }\n  ${ids.consume}: { s: '{a}' }\ncaptures:\n  a: { from: ${ids.initiate}, pointer: /a }\n  b: { from: ${ids.consume}, pointer: /b }`,
    'target.yaml:6:6 (captures.a): captures.a needs itself',
    'target.yaml:7:6 (captures.b)',
  ],
  [
    `captures:\n  sessionId: { from: ${ids.read}, pointer: /a }`,
    'captures.sessionId needs itself',
    `${ids.read} can only be called with {sessionId}`,
  ],
];

const based = refusals.map(([text, ...parts]): Refusal => [`baseUrl: https://host\n${text}\n`, ...parts]);

it.each([...whole, ...based])('refuses %j', async (text, ...parts) => {
  const message = await refusalOf(readText(text));
  for (const part of parts) expect(`${message}\n`).toContain(part);
  for (const secret of ['hush', '12345', 'sk-']) expect(message).not.toContain(secret);
});
