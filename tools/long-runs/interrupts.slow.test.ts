import { type ChildProcess, spawn } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { allFaults } from '../../fixtures/faults/all-faults.ts';
import type { Alteration, ServiceParts } from '../../fixtures/reference-service/service-parts.ts';
import { type RunningService, startService } from '../../fixtures/reference-service/start-service.ts';
import { bytesOfFile } from '../../harness/evidence/byte-source.ts';
import { readEvidence } from '../../harness/evidence/read-evidence.ts';
import { seededRandom } from '../../harness/seeded-random.ts';
import { parseReport } from '../../reporters/json/write-report.ts';
import { packageRoot } from '../../spec/package-root.ts';

/** Moments at which each command is interrupted; `npm run test:interrupts` has 50, and SEED chooses others. */
const moments = Number(process.env['MOMENTS'] ?? 3);
const seed = Number(process.env['SEED'] ?? 1);
/** Milliseconds within which an interrupted command ends, on a busy machine. */
const longestMs = 20_000;

const some = ['--operation', '*Hosted*', 'getPublicProduct'];

/** Commands that read or write for a while, with their arguments; `out` is the folder that they write to. */
const commands: Readonly<Record<string, readonly string[]>> = {
  run: ['run', '--target', 'target.yaml', ...some, '--report-dir', 'out'],
  merge: ['merge', '1', '2', '--report-dir', 'out'],
  verify: ['verify', 'certified', '--development', '--public-key', 'key/certificate-public.pem'],
  certify: [
    ...['run', '--target', 'target.yaml', '--certify', '--development', '--rate', '400'],
    ...['--sign-key', 'key/certificate-private.pem', '--report-dir', 'out'],
  ],
  doctor: ['doctor', '--target', 'target.yaml'],
  init: [
    ...['init', '--base-url', '{baseUrl}', '--key', '{scoped}', '--unscoped-key', '{unscoped}'],
    ...['--file', 'made.yaml', '--force'],
  ],
  replay: ['replay', 'getHostedCheckoutSession/session/created-session-can-be-read', '--report', 'faulty'],
  'spot-check': ['spot-check', 'certified', '--target', 'target.yaml', '--out', 'spot.json'],
};

/** Ways to interrupt, with the exit codes that may follow. */
const kinds = [
  { name: 'SIGINT', exitCodes: [0, 1, 130] },
  { name: 'SIGTERM', exitCodes: [0, 1, 143] },
  { name: 'SIGKILL', exitCodes: [0, 1] },
  { name: 'twice', exitCodes: [0, 1, 130, 143] },
] as const;

let root: string;
let folder: string;
let temporary: string;
const services: Array<{ readonly service: RunningService; readonly sessions: ServiceParts['sessions'] }> = [];

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'conformance-interrupts-'));
  [folder, temporary] = [join(root, 'work'), join(root, 'tmp')];
  await mkdir(folder);
  await mkdir(temporary);
  const fault =
    allFaults.find(({ name }) => name === 'created-session-never-reaches-the-reads') ??
    expect.fail('no such fault');
  const serve = async (file: string, alter: Alteration): Promise<void> => {
    let sessions: ServiceParts['sessions'] | undefined;
    const keep: Alteration = (parts) => {
      sessions = parts.sessions;
    };
    const service = await startService({ alter: [keep, alter] });
    services.push({ service, sessions: sessions ?? expect.fail('the service has no sessions') });
    await writeFile(join(folder, file), stringify(service.target));
  };
  await serve('target.yaml', () => undefined);
  await serve('faulty.yaml', (parts) => fault.install(parts));
  const target = ['run', '--target', 'target.yaml', '--format', 'json'];
  const read = ['--operation', 'getHostedCheckoutSession', '--check', 'SESSION-1', '--report-dir', 'faulty'];
  await finish(['run', '--target', 'faulty.yaml', ...read], [1]);
  await finish(['keygen', '--out', 'key'], [0]);
  const key = ['--sign-key', 'key/certificate-private.pem'];
  await finish([...target, '--certify', '--development', ...key, '--report-dir', 'certified'], [0]);
  for (const index of [1, 2])
    await finish([...target, '--shard', `${index}/2`, '--report-dir', `${index}`], [0]);
});

afterAll(async () => {
  for (const { service } of services) await service.close();
  await rm(root, { recursive: true, force: true });
});

test.each(Object.entries(commands))(
  'an interrupted %s leaves nothing behind',
  {
    timeout: 3_600_000,
  },
  async (name, args) => {
    await reset(args);
    const started = performance.now();
    await finish(args, [0, 1]);
    const wholeMs = performance.now() - started;
    const random = seededRandom(seed, 'interrupts', name);
    for (let count = 0; count < moments; count += 1) {
      const moment = random() * wholeMs;
      const kind = kinds[count % kinds.length] ?? kinds[0];
      expect(await interrupt(args, moment, kind), `${kind.name} after ${Math.round(moment)} ms`).toEqual([]);
    }
  },
);

/** Interrupts a command, and says what it should not have left behind. */
async function interrupt(
  args: readonly string[],
  moment: number,
  { name, exitCodes }: (typeof kinds)[number],
): Promise<readonly string[]> {
  await reset(args);
  const child = await start(args);
  let lateMs = 0;
  const timer = setTimeout(() => {
    const signalled = performance.now();
    child.once('close', () => {
      lateMs = performance.now() - signalled;
    });
    child.kill(name === 'twice' ? 'SIGINT' : name);
    if (name === 'twice') setTimeout(() => child.kill('SIGTERM'), 100);
    setTimeout(() => child.kill('SIGKILL'), longestMs).unref();
  }, moment);
  const { code, signal, output } = await ended(child);
  clearTimeout(timer);
  const objections: string[] = [];
  if (/^\s+at .*:\d+:\d+\)?$/m.test(output)) objections.push(`a stack trace: ${output.slice(-300)}`);
  if (lateMs >= longestMs) objections.push('it did not end');
  if (signal === null && !exitCodes.some((one) => one === code))
    objections.push(`exit code ${code}: ${output.slice(-300)}`);
  if (name !== 'twice' && output.includes('the evidence could not be written'))
    objections.push('the evidence is lost');
  const open = services.reduce((sum, one) => sum + openIn(one.sessions), 0);
  // The next run removes what a killed one leaves.
  if (signal === 'SIGKILL') await finish(args, [0, 1]);
  else if (name !== 'twice' && open > 0) objections.push(`${open} sessions are open`);
  const left = await readdir(temporary);
  if (left.length > 0) objections.push(`left in the temporary folder: ${left.join(', ')}`);
  if (args.includes('out')) objections.push(...(await objectionsTo(join(folder, 'out'), code ?? 0)));
  return objections;
}

/** What is wrong with a report folder after an interrupt. */
async function objectionsTo(reportDir: string, code: number): Promise<readonly string[]> {
  const objections: string[] = [];
  const names = await readdir(reportDir);
  const parts = names.filter((name) => name.startsWith('.'));
  if (parts.length > 0) objections.push(`left in the report folder: ${parts.join(', ')}`);
  const kept = names.filter((name) => name.startsWith('certified-'));
  if (kept.length > 1) objections.push(`kept ${kept.length} times`);
  const present = await readdir(join(reportDir, kept[0] ?? ''));
  for (const name of ['certificate.json', 'evidence.har', 'report.json'])
    if (!present.includes(name)) objections.push(`the earlier ${name} is lost`);
  if (kept.length === 0) return objections;
  if (names.includes('report.json')) {
    const report = parseReport(await readFile(join(reportDir, 'report.json'), 'utf8'));
    if (code >= 130 && report.run.interrupted && report.complete)
      objections.push('the report of an interrupted run is complete');
    if (report.run.interrupted && report.verdict === 'conformant')
      objections.push('the report of an interrupted run has a verdict');
  }
  if (names.includes('evidence.har'))
    await readEvidence(await bytesOfFile(join(reportDir, 'evidence.har'), Number.POSITIVE_INFINITY)).catch(
      (error: Error) => objections.push(`the evidence ${error.message}`),
    );
  return objections;
}

/** Puts an earlier certificate into the folder that a command writes to, and forgets the open sessions. */
async function reset(args: readonly string[]): Promise<void> {
  for (const { sessions } of services) sessions.byId.clear();
  if (!args.includes('out')) return;
  await rm(join(folder, 'out'), { recursive: true, force: true });
  await cp(join(folder, 'certified'), join(folder, 'out'), { recursive: true });
}

/** Starts a command that keeps its temporary files in a folder of its own. */
async function start(args: readonly string[]): Promise<ChildProcess> {
  // A spot check overwrites no earlier result.
  await rm(join(folder, 'spot.json'), { force: true });
  const target = services[0]?.service.target;
  const places: Readonly<Record<string, string | undefined>> = {
    '{baseUrl}': target?.baseUrl,
    '{scoped}': target?.keys.scoped,
    '{unscoped}': target?.keys.unscoped,
  };
  const program = join(packageRoot, 'dist/cli/main.js');
  return spawn(process.execPath, [program, ...args.map((one) => places[one] ?? one)], {
    cwd: folder,
    env: { ...process.env, TMPDIR: temporary },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

function ended(child: ChildProcess): Promise<{
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly output: string;
}> {
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk) => {
      output += chunk;
    });
  return new Promise((resolve) => child.once('close', (code, signal) => resolve({ code, signal, output })));
}

async function finish(args: readonly string[], exitCodes: readonly number[]): Promise<void> {
  const { code, output } = await ended(await start(args));
  expect(exitCodes, `${args.join(' ')}: ${output}`).toContain(code);
}

function openIn({ byId }: ServiceParts['sessions']): number {
  return [...byId.values()].filter(({ status }) => status === 'open').length;
}
