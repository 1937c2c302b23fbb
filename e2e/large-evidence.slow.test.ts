import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { stringify } from 'yaml';
import { changeAnswers } from '../fixtures/mutators/change-answers.ts';
import { startService } from '../fixtures/reference-service/start-service.ts';
import { owner, ownerKeyFile } from './certified-run-for-tests.ts';
import { runCli } from './cli-for-tests.ts';
import { peakMemory, withPeakMemory } from './peak-memory-for-tests.ts';

/** The figures in docs/certifying.md come from BODY_KB=48 FUZZ_RUNS=30,110,270. */
const bodyKb = Number(process.env['BODY_KB'] ?? 12);
const fuzzRuns = (process.env['FUZZ_RUNS'] ?? '30,110').split(',');
/** MB of the heap, which is less than the evidence with the figures above; without a limit, V8 collects garbage later. */
const heap = 96;

it('verifies evidence of any size with the same heap', { timeout: 1_800_000 }, async () => {
  const text = '\u8a9e'.repeat((bodyKb * 1_000) / 3);
  for (const runs of fuzzRuns) {
    const folder = await mkdtemp(join(tmpdir(), 'conformance-large-evidence-'));
    // A note of the same length in every object that the service sends.
    const service = await startService({
      alter: [
        (parts) =>
          changeAnswers(parts, {}, (answer) => {
            const body = answer.body?.toString() ?? '';
            return body.startsWith('{"')
              ? { ...answer, body: Buffer.from(`{"note":"${text}",${body.slice(1)}`) }
              : answer;
          }),
      ],
    });
    try {
      await ownerKeyFile(folder);
      await writeFile(join(folder, 'owner-public.pem'), owner.publicPem);
      await writeFile(join(folder, 'target.yaml'), stringify(service.target));
      const run = ['run', '--quiet', '--target', 'target.yaml', '--certify', '--development'];
      const more = ['--sign-key', 'owner.pem', '--fuzz-runs', runs];
      const certified = await runCli([...run, ...more, '--report-dir', 'run'], { cwd: folder });
      expect(certified.exitCode, certified.stdout + certified.stderr).toBe(0);
      const { size: bytes } = await stat(join(folder, 'run', 'evidence.har'));
      const memory = withPeakMemory(folder);
      const started = performance.now();
      const verified = await runCli(
        ['verify', 'run', '--public-key', 'owner-public.pem', '--development', '--json'],
        {
          cwd: folder,
          env: { ...memory, NODE_OPTIONS: `${memory['NODE_OPTIONS']} --max-old-space-size=${heap}` },
        },
      );
      const seconds = (performance.now() - started) / 1000;
      expect(verified.exitCode, verified.stdout).toBe(0);
      const { recomputed } = JSON.parse(verified.stdout) as { readonly recomputed: object };
      const peak = Math.round((await peakMemory(folder)) / 1_000_000);
      process.stdout.write(
        `${Math.round(bytes / 1_000_000)} MB of evidence (${JSON.stringify(recomputed)}): ${peak} MB at the peak, ${seconds.toFixed(1)} s\n`,
      );
    } finally {
      await service.close();
      await rm(folder, { recursive: true });
    }
  }
});
