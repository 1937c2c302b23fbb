import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import picomatch from 'picomatch';
import { type ShapeName, shapePresets } from '../../fixtures/reference-service/shape.ts';
import { startService } from '../../fixtures/reference-service/start-service.ts';
import { packageRoot } from '../../spec/package-root.ts';
import { runNode, type Spent } from '../bench/run-node.ts';
import { readFlags } from '../read-flags.ts';
import { available, type Service, services, stacksFolder } from './stacks.ts';
import { startService as startStack } from './start-stack.ts';

const usage = `usage: npm run test:certificates -- [--service GLOB] [--seeds N] [-- arguments of run]

Certifies the reference service, each of its shapes and each service of the stacks at N seeds (default: 10), and verifies
each certificate. Every run must lead to one. Installs nothing.
`;
const { values, positionals } = readFlags({
  allowPositionals: true,
  options: {
    service: { type: 'string', default: '*' },
    seeds: { type: 'string', default: '10' },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  process.stdout.write(usage);
  process.exit(0);
}
// Services end when this process exits, which a signal alone does not let it do.
process.once('SIGINT', () => process.exit(130));
process.once('SIGTERM', () => process.exit(143));

/** A running service, and the flags that name it. */
interface Subject {
  readonly flags: readonly string[];
  readonly stop: () => Promise<void>;
}

const folder = await mkdtemp(join(tmpdir(), 'conformance-certify-'));
const report = join(folder, 'report');
const key = (name: string): string => join(folder, 'keys', `certificate-${name}.pem`);
const isNamed = picomatch(values.service);
const openers = new Map<string, () => Promise<Subject>>([
  ...Object.keys(shapePresets)
    .filter((name) => isNamed(name))
    .map((name) => [name, () => openShape(name as ShapeName)] as const),
  ...available(services.filter(({ name }) => isNamed(name))).map(
    (service) => [service.name, () => openStack(service)] as const,
  ),
]);
try {
  await command('keygen', '--out', join(folder, 'keys'));
  for (const [name, open] of openers) {
    const subject = await open();
    try {
      await certify(name, subject);
    } finally {
      await subject.stop();
    }
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}

/** Certifies a service at each seed, and says how many of the certificates hold. */
async function certify(name: string, { flags }: Subject): Promise<void> {
  const certified = ['--certify', '--development', '--sign-key', key('private')];
  let held = 0;
  for (let seed = 1; seed <= Number(values.seeds); seed += 1) {
    const run = await command(
      ...['run', '--no-color', ...flags, ...certified, '--seed', `${seed}`, '--report-dir', report],
      ...positionals,
    );
    const verified =
      run.exitCode === 0
        ? await command('verify', report, '--development', '--public-key', key('public'))
        : run;
    if (verified.exitCode === 0) held += 1;
    else process.stdout.write(`seed ${seed}: exit code ${verified.exitCode}\n${verified.stdout}\n`);
    await rm(report, { recursive: true, force: true });
  }
  process.stdout.write(`${name}: ${held} of ${values.seeds} runs led to a certificate that holds\n`);
  if (held < Number(values.seeds)) process.exitCode = 1;
}

async function openShape(shape: ShapeName): Promise<Subject> {
  const service = await startService({ shape });
  const target = join(folder, `${shape}.json`);
  await writeFile(target, JSON.stringify(service.target));
  return { flags: ['--target', target], stop: () => service.close() };
}

async function openStack(service: Service): Promise<Subject> {
  const { baseUrl, stop } = await startStack(service);
  return { flags: ['--target', join(stacksFolder, 'target.yaml'), '--base-url', baseUrl], stop };
}

function command(...args: readonly string[]): Promise<Spent> {
  return runNode([join(packageRoot, 'dist', 'cli', 'main.js'), ...args]);
}
