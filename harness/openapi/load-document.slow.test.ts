import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { loadContract } from '../../spec/contract.ts';
import { at, contractAsDocument } from './document-for-tests.ts';
import { loadDocument } from './load-document.ts';

it('gives up on schemas that double with each reference, and says so', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'doubling-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const content = contractAsDocument();
  const schemas = at(content, 'components', 'schemas');
  for (let nth = 0; nth < 30; nth += 1) {
    const next = { $ref: `#/components/schemas/Level${nth + 1}` };
    schemas[`Level${nth}`] = { allOf: [next, next] };
  }
  schemas['Level30'] = { type: 'object' };
  await writeFile(join(folder, 'openapi.json'), JSON.stringify(content));
  const loading = loadDocument(join(folder, 'openapi.json'), await loadContract());
  await expect(loading).rejects.toThrow(/could not be followed to their ends/);
}, 60_000);
