import { describe, expect, it } from 'vitest';
import type { Exchange, ExchangeRole, Row } from '../model/exchange.ts';
import { BlockRecognizer, harmless, provocative } from './recorder.ts';

interface Sent {
  readonly operation?: string;
  readonly role?: ExchangeRole;
  readonly label?: string;
  readonly row?: Row;
  readonly status?: number;
  readonly answer?: string;
  readonly path?: string;
  readonly headers?: Exchange['request']['headers'];
  readonly source?: 'generated' | 'target-file';
}

const plain: Exchange['request']['headers'] = [['accept', 'application/json']];
const block = '{"blocked":true}';

function sent({ operation = 'one', role = 'probe', status = 403, answer = block, ...rest }: Sent): Exchange {
  const { label = 'a probe', path = '/a', headers = plain, source, row } = rest;
  return {
    id: `${operation}/1`,
    operation,
    case: { check: 'example', operation },
    role,
    label,
    ...(row === undefined ? {} : { row }),
    attempt: 1,
    request: {
      method: 'GET',
      path,
      headers: [...headers, ['x-request-id', label]],
      credential: { kind: 'none', description: 'no credentials' },
      values: source === undefined ? {} : { slug: { value: 'a', source } },
      connection: 'shared',
    },
    response: {
      status,
      headers: [],
      body: { text: answer, encoding: 'utf-8', bytes: answer.length, truncated: false, json: 'object' },
    },
    startedAt: '2030-01-01T00:00:00.000Z',
    durationMs: 1,
  };
}

/** The calls of a preflight: at each of two operations, one that looks like an attack and one that does not. */
function preflight(attack: readonly [Sent, Sent], other: Sent = { status: 200 }): BlockRecognizer {
  const blocks = new BlockRecognizer();
  blocks.isBlocked(sent({ role: 'preflight', label: 'reaches the target', status: 200 }));
  for (const [at, operation] of ['one', 'two'].entries()) {
    blocks.isBlocked(sent({ ...attack[at], operation, role: 'preflight', row: provocative, path: '/a?q=x' }));
    blocks.isBlocked(sent({ ...other, operation, role: 'preflight', row: harmless, path: '/a?q=y' }));
  }
  return blocks;
}

describe('a firewall that answers with JSON', () => {
  it.each<[string, Sent]>([
    ['query', { path: '/a?q=z' }],
    ['header', { headers: [...plain, ['accept-charset', 'utf-8']] }],
    ['missing header', { headers: [] }],
    ['path value', { source: 'generated' }],
  ])('is recognized by its body, at any operation, where a probe has an unusual %s', (_what, probe) => {
    expect(preflight([{}, {}]).isBlocked(sent({ operation: 'three', ...probe }))).toBe(true);
  });

  it('does not excuse a 403 to a call that is as plain as a valid one', () => {
    const blocks = preflight([{}, {}]);
    expect(blocks.isBlocked(sent({}))).toBe(false);
    expect(blocks.isBlocked(sent({ role: 'control', path: '/a?q=z' }))).toBe(false);
    expect(blocks.isBlocked(sent({ source: 'target-file' }))).toBe(false);
  });

  it('does not excuse another body, nor another status', () => {
    const blocks = preflight([{}, {}]);
    expect(blocks.isBlocked(sent({ path: '/a?q=z', answer: '{"code":"forbidden"}' }))).toBe(false);
    expect(blocks.isBlocked(sent({ path: '/a?q=z', status: 401 }))).toBe(false);
  });
});

describe('a service that answers 403 itself is not taken for a firewall', () => {
  const probe = sent({ path: '/a?q=z' });

  it('at one operation alone', () => {
    expect(preflight([{}, { status: 200 }]).isBlocked(probe)).toBe(false);
  });

  it('with bodies that differ, as those with a request id do', () => {
    expect(preflight([{}, { answer: '{"blocked":2}' }]).isBlocked(probe)).toBe(false);
  });

  it('to every query', () => {
    expect(preflight([{}, {}], {}).isBlocked(probe)).toBe(false);
  });
});
