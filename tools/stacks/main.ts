import { join } from 'node:path';
import picomatch from 'picomatch';
import { readFlags } from '../read-flags.ts';
import { changesOf } from './changes.ts';
import { type Front, fronts } from './fronts.ts';
import { objectionsTo } from './objections.ts';
import { missing } from './part.ts';
import { type Service, services } from './services.ts';
import { testChange } from './test-changes.ts';
import { testStack } from './test-stack.ts';

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

const settings = ['default', 'recommended'] as const;
const seeds = values.seeds.split(',').map(Number);
const chosenServices = available(services.filter(({ name }) => picomatch.isMatch(name, values.service)));
const chosenFronts =
  values.changes !== undefined
    ? []
    : available(fronts.filter(({ name }) => picomatch.isMatch(name, values.front)));
let failed = 0;
let passed = 0;
for (const service of chosenServices) {
  if (values.changes !== undefined) {
    for (const seed of seeds) await testChanges(service, seed, values.changes);
    continue;
  }
  if (!values['only-fronts']) for (const seed of seeds) await test(service, seed);
  for (const front of chosenFronts)
    for (const setting of settings) await test(service, seeds[0] ?? 1, { front, setting });
}
process.stdout.write(`${passed} passed, ${failed} failed\n`);
process.exitCode = failed > 0 || passed === 0 ? 1 : 0;

/** Parts whose needs are met; says what is missing for the others. */
function available<P extends Service | Front>(parts: readonly P[]): readonly P[] {
  return parts.filter(({ name, needs }) => {
    const commands = missing(needs);
    for (const command of commands) process.stdout.write(`${name} is left out; it needs: ${command}\n`);
    if (commands.length > 0) process.exitCode = 1;
    return commands.length === 0;
  });
}

/** Regressions that are missed fail the command, as harmless changes do that are reported; whether a cause is named rightly, a reader must say. */
async function testChanges(service: Service, seed: number, glob: string): Promise<void> {
  for (const change of (await changesOf(service)).filter(({ name }) => picomatch.isMatch(name, glob))) {
    const { found, report } = await testChange(service, change, {
      seed,
      args: positionals,
      ...(values.program === undefined ? {} : { program: values.program }),
      ...(values.reports === undefined
        ? {}
        : { reportFolder: join(values.reports, `${service.name}-${change.name}`) }),
    });
    const isRight = change.kind === 'harmless' ? found === 'missed' : found === 'caught';
    if (isRight) passed += 1;
    else failed += 1;
    const says = change.kind === 'harmless' && found === 'missed' ? 'accepted' : found;
    process.stdout.write(
      `${isRight ? 'ok  ' : 'FAIL'} ${service.name} ${change.name} (${change.kind}), seed ${seed}: ${says}\n`,
    );
    for (const { level, headline, operations } of report.rootCauses ?? [])
      process.stdout.write(`       ${level}: ${headline} (${operations.join(', ')})\n`);
  }
}

async function test(
  service: Service,
  seed: number,
  behind?: { readonly front: Front; readonly setting: (typeof settings)[number] },
): Promise<void> {
  const where = behind === undefined ? 'directly' : `behind ${behind.front.name}, ${behind.setting} settings`;
  const report = await testStack({
    service,
    seed,
    fromInit: values['from-init'],
    args: positionals,
    ...(behind === undefined ? {} : { front: behind }),
    ...(values.reports === undefined
      ? {}
      : {
          reportFolder: join(
            values.reports,
            `${service.name}-${behind === undefined ? seed : `${behind.front.name}-${behind.setting}`}`,
          ),
        }),
  });
  const objections = objectionsTo(report, behind, values['from-init']);
  if (objections.length === 0) passed += 1;
  else failed += 1;
  const { requests } = report.traffic;
  const seconds = Math.round(report.run.durationMs / 1000);
  process.stdout.write(
    `${objections.length === 0 ? 'ok  ' : 'FAIL'} ${service.name} ${where}, seed ${seed}: ${report.verdict}, ${requests} requests, ${seconds} s\n`,
  );
  for (const { level, headline } of report.rootCauses ?? [])
    process.stdout.write(`       ${level}: ${headline}\n`);
  for (const objection of objections) process.stdout.write(`     - ${objection}\n`);
}
