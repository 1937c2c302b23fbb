import { execFile } from 'node:child_process';
import { createPublicKey } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { packageRoot } from '../spec/package-root.ts';
import {
  countersigned,
  folder,
  programmeKey,
  startProgramme,
  stopProgramme,
  vendor,
} from './programme-for-tests.ts';

const run = promisify(execFile);
const script = join(packageRoot, 'cli', 'read-certificate-for-tests.py');
/** An interpreter with `pip install securesystemslib[crypto] in-toto-attestation`. */
const python = process.env['PYTHON'] ?? 'python3';
const missing = await run(python, [script]).then(
  () => 'nothing',
  ({ stderr = '', message }: { readonly stderr?: string; readonly message: string }) =>
    stderr.startsWith('usage') ? undefined : (stderr || message).trim().split('\n').at(-1),
);

beforeAll(startProgramme);
afterAll(stopProgramme);

it('securesystemslib accepts both signatures, and in-toto-attestation the statement', async ({ skip }) => {
  if (missing !== undefined)
    skip(`the Python packages cannot be loaded (${missing}); name an interpreter in PYTHON`);
  const files = {
    certificate: join(folder, 'c.json'),
    vendor: join(folder, 'v.pem'),
    owner: join(folder, 'o.pem'),
  };
  const { certificate = '' } = countersigned();
  await writeFile(files.certificate, certificate);
  await writeFile(files.vendor, vendor.publicPem);
  await writeFile(files.owner, createPublicKey(programmeKey).export({ type: 'spki', format: 'pem' }));
  const { stdout } = await run(python, [script, files.certificate, files.vendor, files.owner]);
  expect(JSON.parse(stdout)).toMatchObject({
    accepted: 2,
    type: 'https://in-toto.io/attestation/test-result/v0.1',
    result: 'PASSED',
  });
  // The keys in the wrong order, and a payload with one other character.
  await expect(run(python, [script, files.certificate, files.owner, files.vendor])).rejects.toThrow(
    'threshold',
  );
  const envelope = JSON.parse(certificate) as { readonly payload: string };
  const payload = Buffer.from(envelope.payload, 'base64').toString().replace('PASSED', 'FAILED');
  const edited = { ...envelope, payload: Buffer.from(payload).toString('base64') };
  await writeFile(files.certificate, JSON.stringify(edited));
  await expect(run(python, [script, files.certificate, files.vendor, files.owner])).rejects.toThrow(
    'threshold',
  );
});
