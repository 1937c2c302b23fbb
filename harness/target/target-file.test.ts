import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ids } from '../../spec/operation-ids-for-tests.ts';
import type { Target } from '../model/target.ts';
import { readFrom, readText, refusalOf } from './refusals-for-tests.ts';

describe('readTargetFile', () => {
  it('reads a whole description', async () => {
    const target = await readText(`
baseUrl: https://staging.example.com/gateway/
authorization: 'Bearer {key}'
keys:
  scoped: \${COMMERCE_KEY}
  unscoped: \${COMMERCE_KEY_UNSCOPED}
headers: { x-gateway: 'a $\${b}' }
parameters:
  slug: atelier-nord
  ${ids.product}: { slug: linen-shirt }
bodies:
  ${ids.create}: { merchant: atelier-nord, items: [{ quantity: 1, ref: '{unique}' }] }
  ${ids.consume}: { state: '{loginState}', code: test-code }
captures:
  sessionId: /data/sessionId
  loginState: { from: ${ids.initiate}, pointer: /state }
exclude:
  - { class: very-long, parameter: slug, operation: ${ids.product}, reason: the gateway cuts them }
options: { rate: '\${RATE}', readOnly: true, format: [html, junit] }
`);
    expect(target).toEqual({
      baseUrl: 'https://staging.example.com/gateway',
      authorization: 'Bearer {key}',
      keys: { scoped: 'sk-scoped', unscoped: 'sk-plain' },
      headers: [['x-gateway', `a \${b}`]],
      parameters: { slug: 'atelier-nord' },
      operationParameters: { [ids.product]: { slug: 'linen-shirt' } },
      bodies: {
        [ids.create]: { merchant: 'atelier-nord', items: [{ quantity: 1, ref: '{unique}' }] },
        [ids.consume]: { state: '{loginState}', code: 'test-code' },
      },
      captures: {
        sessionId: { from: ids.create, pointer: '/data/sessionId' },
        loginState: { from: ids.initiate, pointer: '/state' },
      },
      exclusions: [
        {
          class: 'very-long',
          parameter: 'slug',
          operation: ids.product,
          reason: 'the gateway cuts them',
        },
      ],
      options: { rate: 2.5, readOnly: true, format: ['html', 'junit'] },
    } satisfies Target);
  });

  it('reads JSON with tabs and a byte order mark, and fills in defaults', async () => {
    const target = await readText(
      '\ufeff{\n\t"$schema": "x",\n\t"baseUrl": "https://host"\n}\n',
      'target.json',
    );
    expect(target).toMatchObject({
      baseUrl: 'https://host',
      authorization: '{key}',
      keys: {},
      exclusions: [],
    });
  });

  it('tells all problems of a file at once, sorted by line', async () => {
    const message = await refusalOf(
      readText(
        `captures: { a: /b }\nbaseUrl: host\nparameters: { slug: 1, slgu: x }\nkeys: { scoped: "\${NOPE}" }\n`,
      ),
    );
    expect(message.split('\n')[0]).toBe('target.yaml has 5 problems');
    expect([...message.matchAll(/target\.yaml:(\d+:\d+) \((.*?)\)/g)].map((match) => match.slice(1))).toEqual(
      [
        ['1:16', 'captures.a'],
        ['2:10', 'baseUrl'],
        ['3:21', 'parameters.slug'],
        ['3:24', 'parameters.slgu'],
        ['4:17', 'keys.scoped'],
      ],
    );
  });

  it('speaks plainly of files that cannot be read', async () => {
    const reading = (name: string) => refusalOf(readFrom(join(import.meta.dirname, name)));
    expect(await reading('missing.yaml')).toContain('missing.yaml: the target file does not exist');
    expect(await reading('.')).toContain('this is a directory, not a target file');
    expect(await refusalOf(readText(new Uint8Array([0x62, 0xff, 0xfe])))).toContain(
      'the target file is not UTF-8',
    );
  });
});
