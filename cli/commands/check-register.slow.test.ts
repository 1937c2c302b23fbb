import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { changeAnswers } from '../../fixtures/mutators/change-answers.ts';
import { type RunningService, startService } from '../../fixtures/reference-service/start-service.ts';
import { canonicalJson, enclose, serialiseEnvelope } from '../../harness/certification/envelope.ts';
import { namedKey, readPrivateKey } from '../../harness/certification/signing-key.ts';
import { statementOf } from '../../harness/certification/statement.ts';
import { parseEvidence } from '../../harness/evidence/read-evidence.ts';
import { sha256 } from '../../harness/evidence/target-summary.ts';
import { parseReport } from '../../reporters/json/write-report.ts';
import { filesIn, owner, ownerKeyFile, statementIn } from '../certified-run-for-tests.ts';
import { callCli } from '../in-process-for-tests.ts';

/** Entries; the figures in docs/running-a-programme.md come from ENTRIES=200. */
const count = Number(process.env['ENTRIES'] ?? 3);
const services: RunningService[] = [];
let folder: string;
let cheats = false;

/** Starts as many services as there are entries; the second cheats from the end of its run. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'conformance-check-register-'));
  await ownerKeyFile(folder);
  await writeFile(join(folder, 'owner-public.pem'), owner.publicPem);
  await mkdir(join(folder, 'targets'));
  for (let at = 0; at < count; at += 1) {
    const service = await startService({
      alter: [
        (parts) =>
          changeAnswers(parts, {}, (answer) => (cheats && at === 1 ? { ...answer, status: 500 } : answer)),
      ],
    });
    services.push(service);
    const target = { ...service.target, options: { rate: 200 } };
    await writeFile(join(folder, 'targets', `entry-${at}.yaml`), stringify(target));
  }
  const flags = ['--certify', '--development', '--sign-key', 'owner.pem', '--report-dir', 'first'];
  const run = await callCli(['run', '--quiet', '--target', 'targets/entry-0.yaml', ...flags], {
    cwd: folder,
  });
  if (run.exitCode !== 0) throw new Error(run.stdout + run.stderr);
  const first = await filesIn(join(folder, 'first'));
  for (const [at, service] of services.entries()) await writeEntry(first, at, service);
}, 300_000);

/** The certificate of the first service as if it were that of another one, which is the same service on another port. */
async function writeEntry(
  first: Awaited<ReturnType<typeof filesIn>>,
  at: number,
  service: RunningService,
): Promise<void> {
  const from = new URL(services[0]?.baseUrl ?? '').host;
  const moved = (text = ''): string => text.replaceAll(from, new URL(service.baseUrl).host);
  const texts = { report: moved(first.report), evidence: moved(first.evidence) };
  const { issuedAt, expiresAt } = statementIn(first.certificate ?? '').predicate;
  const key = readPrivateKey(owner.privatePem, 'test');
  const digests = { report: sha256(texts.report), evidence: sha256(texts.evidence) };
  const statement = statementOf({
    report: parseReport(texts.report),
    run: parseEvidence(texts.evidence).run,
    digests,
    issuedAt,
    expiresAt,
    signer: namedKey(key),
  });
  const entry = join(folder, 'certificates', `entry-${at}`);
  await mkdir(entry, { recursive: true });
  await writeFile(join(entry, 'certificate.json'), serialiseEnvelope(enclose(canonicalJson(statement), key)));
  await writeFile(join(entry, 'report.json'), texts.report);
  await writeFile(join(entry, 'evidence.har'), texts.evidence);
}

afterAll(async () => {
  await Promise.all(services.map((service) => service.close()));
  await rm(folder, { recursive: true, force: true });
});

it('finds the entry that no longer holds, and the one that cannot be reached', {
  timeout: 3_600_000,
}, async () => {
  cheats = true;
  await services[2]?.close();
  const started = performance.now();
  const { exitCode, stdout, stderr } = await callCli(
    [
      'check-register',
      'certificates',
      '--targets',
      'targets',
      '--owner-key',
      'owner-public.pem',
      '--development',
    ],
    { cwd: folder },
  );
  process.stdout.write(`${count} entries in ${Math.round((performance.now() - started) / 1000)} s\n`);
  expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: '' });
  expect(stdout).toContain(`${count} entries: ${count - 2} hold, `);
  expect((await readdir(join(folder, 'spot-checks'))).sort()).toEqual(['entry-1.md', 'entry-2.md']);
  const issue = await readFile(join(folder, 'spot-checks', 'entry-1.md'), 'utf8');
  expect(issue).toContain('The service of the entry entry-1 differs from its certificate.');
});
