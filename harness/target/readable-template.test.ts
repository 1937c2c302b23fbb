import { expect, it } from 'vitest';
import { ids } from '../../spec/operation-ids-for-tests.ts';
import { contractForTests as contract } from './contract-for-tests.ts';
import { readableTemplate } from './readable-template.ts';

it('is the template where the parser of target files reads the content back', () => {
  const content = {
    baseUrl: 'https://host/a',
    authorization: 'Key {key}: #1',
    headers: ['1x', 'x-token', '*', 'null', '~'],
    parameters: [{ operation: ids.product, values: { slug: '$' + '{a}: # b' }, comment: 'found' }],
    query: [{ operation: 'searchPublicProducts', values: { q: 'yes', '*': '1' }, comment: 'found' }],
    bodies: [
      {
        operation: ids.initiate,
        body: { a: ['null', null, 1e21, '\n- x'], '{b}': '\u0000' },
        comment: 'taken',
      },
      { operation: ids.create, comment: 'unknown' },
    ],
    captures: { sessionId: { from: ids.create, pointer: '/a~1b' } },
    options: { ca: '#a.pem', insecure: true },
  };
  expect(readableTemplate(contract, content, 'target.yaml')).toContain('baseUrl: https://host/a');
  expect(readableTemplate(contract, {}, 'target.yaml')).toContain('baseUrl: https://staging.example.com');
});

it.each([
  [
    'a query among path parameters',
    { parameters: [{ operation: ids.product, values: { query: 'q=a' } }] },
    ids.product,
  ],
  ['an operation without a body', { bodies: [{ operation: ids.product, body: {} }] }, 'takes no body'],
  [
    'a comment of two lines',
    { query: [{ operation: 'searchPublicProducts', comment: 'a\nbaseUrl: b' }] },
    'stands twice',
  ],
  ['a value that is read as another', { baseUrl: 'https://HOST/' }, 'baseUrl is read as'],
])('is refused with %s', (_name, content, message) => {
  const commented = Object.fromEntries(
    Object.entries(content).map(([section, listed]) => [
      section,
      Array.isArray(listed) ? listed.map((one: object) => ({ comment: 'made up', ...one })) : listed,
    ]),
  );
  const written = (): string => readableTemplate(contract, commented, 'target.yaml');
  expect(written).toThrow('init would write a target file that run refuses');
  expect(written).toThrow(message);
});
