import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { oneCause } from '../../../reporters/testing/sample-reports-for-tests.ts';
import { ids as operationIds } from '../../../spec/operation-ids-for-tests.ts';
import { UsageError } from '../../usage-error.ts';
import type { Baseline } from './read-baseline.ts';
import { readBaseline } from './read-baseline.ts';
import { baselineEntries, baselineText } from './with-baseline.ts';

const rest = 'reason: why, owner: team, expires: 2027-01-31';

async function read(text: string, name = 'baseline.yaml'): Promise<Baseline> {
  const folder = await mkdtemp(join(tmpdir(), 'baseline-'));
  try {
    await writeFile(join(folder, name), text);
    return await readBaseline(join(folder, name));
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function refusalOf(text: string): Promise<string> {
  const error: unknown = await read(text).catch((reason: unknown) => reason);
  if (!(error instanceof UsageError)) throw new Error('was not refused');
  return error.message.replaceAll(/\/[^\s:]*\/baseline-\w+\//g, '');
}

describe('a baseline', () => {
  it('is read from YAML and from JSON', async () => {
    const entry = { finding: '4f2a91c0', reason: 'why', owner: 'team', expires: '2027-01-31' };
    const yaml = await read(`accepted: [{ finding: 4f2a91c0, ${rest} }]\n`);
    expect(yaml.accepted).toEqual([entry]);
    expect(yaml.digest).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect((await read(JSON.stringify({ accepted: [entry] }), 'baseline.json')).accepted).toEqual([entry]);
    expect((await read('accepted: []\n')).accepted).toEqual([]);
  });

  it.each([
    [
      'an id that YAML takes for a number',
      `accepted:\n  - { finding: 00000001, ${rest} }`,
      ':2:16 (accepted[0].finding)',
      "quote it: '00000001'",
    ],
    [
      'an id that YAML takes for a huge number',
      `accepted:\n  - { finding: 12345e67, ${rest} }`,
      'must be text',
      "quote it: '12345e67'",
    ],
    [
      'an id cut short',
      `accepted:\n  - { finding: 4f2a, ${rest} }`,
      ':2:16 (accepted[0].finding)',
      "write it like '4f2a91c0'",
    ],
    [
      'an entry without owner',
      'accepted:\n  - { finding: 4f2a91c0, reason: why, expires: 2027-01-31 }',
      'accepted[0].owner is missing',
      'add owner: checkout-team',
    ],
    [
      'an empty reason',
      `accepted:\n  - { finding: 4f2a91c0, reason: ' ', owner: a, expires: 2027-01-31 }`,
      'accepted[0].reason',
      'write it like the gateway',
    ],
    [
      'a day that is none',
      'accepted:\n  - { finding: 4f2a91c0, reason: why, owner: a, expires: 2027-02-30 }',
      ':2:58 (accepted[0].expires)',
      'write it like 2027-01-31',
    ],
    [
      'an unknown key',
      `accepted:\n  - { finding: 4f2a91c0, ${rest}, expire: x }`,
      'unknown key accepted[0].expire',
      'write expires',
    ],
    ['a list', '- 4f2a91c0\n', 'the baseline must be a map', ''],
    ['an empty file', '', 'the file is empty', 'commerce-conformance baseline'],
    [
      'a finding twice',
      `accepted:\n  - { finding: 4f2a91c0, ${rest} }\n  - { finding: 4f2a91c0, ${rest} }`,
      ':3:16 (accepted[1].finding): the finding 4f2a91c0 is accepted twice',
      'remove one',
    ],
  ])('with %s is refused', async (_, text, what, remedy) => {
    const message = await refusalOf(text);
    expect(message).toContain(what);
    expect(message).toContain(remedy);
  });

  it('that is not there is spoken of plainly', async () => {
    await expect(readBaseline('nowhere.yaml')).rejects.toThrow('nowhere.yaml: the baseline does not exist');
  });

  it('is written so that it is read again, whatever the ids look like', async () => {
    const acceptance = { reason: 'a: "reason" # {x}', owner: '0123', expires: '2027-01-31' };
    const entries = baselineEntries(oneCause, acceptance, false);
    const ids = ['00000001', '12345e67', '4f2a91c0'];
    const unusual = ids.map((finding) => ({ ...acceptance, finding, operation: operationIds.product }));
    expect(entries.length).toBeGreaterThan(0);
    expect((await read(baselineText([...unusual]))).accepted).toEqual(unusual);
    expect(entries[0]).toMatchObject({ operation: expect.any(String), requirement: 'AUTH-3', ...acceptance });
  });
});
