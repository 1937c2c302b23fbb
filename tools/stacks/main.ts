import { join } from 'node:path';
import picomatch from 'picomatch';
import { readFlags } from '../read-flags.ts';
import { changesOf, testChange } from './changes.ts';
import { objectionsTo } from './objections.ts';
import { available, fronts, type Service, services } from './stacks.ts';
import { type Behind, testStack } from './test-stack.ts';

const usage = `usage: npm run test:stacks -- [--service GLOB] [--front GLOB] [--seeds 1,2,3] [--reports FOLDER] [--from-init] [--changes GLOB [--program FILE]] [-- arguments of run]

Runs the harness against each service directly, then behind each front with default and with recommended settings.
--front none leaves the fronts out; --only-fronts leaves the direct runs out. Installs nothing.
--from-init runs with the target file that init writes; what only a person knows stays untested then.
--changes tests changed services instead, directly or behind the front that the change names: regressions and harmless changes.
--program tests them with the compiled program of another version.
`;
const { values, positionals } = readFlags({
  allowPositionals: true,
  options: {
    service: { type: 'string', default: '*' },
    front: { type: 'string', default: '*' },
    seeds: { type: 'string', default: '1' },
    'only-fronts': { type: 'boolean', default: false },
    reports: { type: 'string' },
    changes: { type: 'string' },
    program: { type: 'string' },
    'from-init': { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  process.stdout.write(usage);
  process.exit(0);
}
// Services and fronts end when this process exits, which a signal alone does not let it do.
process.once('SIGINT', () => process.exit(130));
process.once('SIGTERM', () => process.exit(143));

const seeds = values.seeds.split(',').map(Number);
const isNamed = (glob: string) => (part: { readonly name: string }) => picomatch.isMatch(part.name, glob);
const wanted = {
  services: services.filter(isNamed(values.service)),
  fronts: values.changes === undefined ? fronts.filter(isNamed(values.front)) : [],
};
const usable = { services: available(wanted.services), fronts: available(wanted.fronts) };
let failed = 0;
let passed = 0;
for (const service of usable.services) {
  if (values.changes !== undefined) {
    for (const seed of seeds) await testChanges(service, seed, values.changes);
    continue;
  }
  if (!values['only-fronts']) for (const seed of seeds) await test(service, seed);
  for (const front of usable.fronts)
    for (const setting of ['default', 'recommended'] as const)
      await test(service, seeds[0] ?? 1, { front, setting });
}
process.stdout.write(`${passed} passed, ${failed} failed\n`);
const isWhole =
  usable.services.length === wanted.services.length && usable.fronts.length === wanted.fronts.length;
process.exitCode = failed > 0 || passed === 0 || !isWhole ? 1 : 0;

/** A missed regression fails the command, as a reported harmless change does; a reader must say whether the cause is right. */
async function testChanges(service: Service, seed: number, glob: string): Promise<void> {
  for (const change of (await changesOf(service)).filter(isNamed(glob))) {
    const reportFolder = folderOf(`${service.name}-${change.name}`);
    const { program } = values;
    const run = { service, seed, args: positionals, program, reportFolder };
    const { found, report } = await testChange(run, change);
    const isHarmless = change.kind === 'harmless';
    const says = isHarmless && found === 'missed' ? 'accepted' : found;
    const what = `${service.name} ${change.name} (${change.kind}), seed ${seed}: ${says}`;
    tell(found === (isHarmless ? 'missed' : 'caught'), what);
    for (const { level, headline, operations } of report.rootCauses ?? [])
      process.stdout.write(`       ${level}: ${headline} (${operations.join(', ')})\n`);
  }
}

async function test(service: Service, seed: number, behind?: Behind): Promise<void> {
  const place = behind === undefined ? `${seed}` : `${behind.front.name}-${behind.setting}`;
  const where = behind === undefined ? 'directly' : `behind ${behind.front.name}, ${behind.setting} settings`;
  const fromInit = values['from-init'];
  const reportFolder = folderOf(`${service.name}-${place}`);
  const report = await testStack({ service, seed, behind, fromInit, args: positionals, reportFolder });
  const objections = objectionsTo(report, behind, fromInit);
  const seconds = Math.round(report.run.durationMs / 1000);
  const figures = `${report.verdict}, ${report.traffic.requests} requests, ${seconds} s`;
  tell(objections.length === 0, `${service.name} ${where}, seed ${seed}: ${figures}`);
  for (const { level, headline } of report.rootCauses ?? [])
    process.stdout.write(`       ${level}: ${headline}\n`);
  for (const objection of objections) process.stdout.write(`     - ${objection}\n`);
}

function tell(isRight: boolean, what: string): void {
  if (isRight) passed += 1;
  else failed += 1;
  process.stdout.write(`${isRight ? 'ok  ' : 'FAIL'} ${what}\n`);
}

function folderOf(run: string): string | undefined {
  return values.reports === undefined ? undefined : join(values.reports, run);
}
