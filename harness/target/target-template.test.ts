import { describe, expect, it } from 'vitest';
import { ids } from '../../spec/operation-ids-for-tests.ts';
import { contractForTests as contract } from './contract-for-tests.ts';
import { readText } from './refusals-for-tests.ts';
import { type TemplateContent, targetTemplate } from './target-template.ts';

const write = (content: TemplateContent = {}): string => targetTemplate(contract, content, 'target.yaml');

describe('targetTemplate', () => {
  it('is a target file, also with all its options uncommented', async () => {
    const empty = await readText(write());
    expect(empty).toMatchObject({ keys: { scoped: 'sk-scoped', unscoped: 'sk-plain' }, parameters: {} });
    const target = await readText(write().replaceAll(/^#(?=\S| +[\w-]+:( |$)| +- )/gm, ''));
    expect(target.captures).toHaveProperty('loginState.from', ids.initiate);
    expect(target.options).toMatchObject({ spec: 'openapi.yaml', ca: 'ca.pem', rate: 25, readOnly: true });
    expect(target.exclusions).toHaveLength(1);
  });

  // It reads each file back and throws where anything is read as something else.
  it('holds what was found, and what nobody knows as a comment', () => {
    const text = write({
      baseUrl: "https://host/it's/$&",
      authorization: 'Key {key}: #1',
      keys: { scoped: true, unscoped: false },
      headers: ['1x', 'x-token', '*', 'null', '~'],
      parameters: [{ name: ids.product, value: { slug: '$' + '{a}: # b' }, comment: 'found' }],
      query: [
        { name: 'searchPublicProducts', value: { 'filter[q]': 'yes', '*': '1' }, comment: 'found' },
        { name: 'listPublicLegalDocuments', comment: 'it refuses a call' },
      ],
      bodies: [
        {
          name: ids.initiate,
          value: { a: ['null', null, 1e21, '\n- x'], '{b}': '\u0000' },
          comment: 'taken',
        },
        { name: ids.create, comment: 'to find out' },
      ],
      captures: { sessionId: { from: ids.create, pointer: '/a~1b' } },
      options: { ca: '#a.pem', insecure: true },
    });
    expect(text).toContain("baseUrl: https://host/it's/$&\n");
    expect(text).toContain('#  unscoped: $' + '{COMMERCE_KEY_UNSCOPED}');
    expect(text).toContain(`  # to find out\n#  ${ids.create}: { … }`);
    expect(text).toContain('#  listPublicLegalDocuments: { … }  # it refuses a call');
  });

  const made = (name: string, value: object | undefined, comment = 'made up') =>
    [{ name, ...(value === undefined ? {} : { value }), comment }] as TemplateContent['bodies'] & object;

  it.each<[string, TemplateContent, string]>([
    ['a query among path parameters', { parameters: made(ids.product, { query: 'q=a' }) }, ids.product],
    ['an operation without a body', { bodies: made(ids.product, {}) }, 'takes no body'],
    [
      'a comment of two lines',
      { query: made('searchPublicProducts', undefined, 'a\nbaseUrl: b') },
      'duplicate key',
    ],
    ['a value that is read as another', { baseUrl: 'https://HOST/' }, 'baseUrl is read as'],
  ])('is refused with %s', (_name, content, message) => {
    expect(() => write(content)).toThrow('init would write a target file that run refuses');
    expect(() => write(content)).toThrow(message);
  });
});
