import { readFile, writeFile } from 'node:fs/promises';
import { diffArrays } from 'diff';
import { startService } from '../../fixtures/reference-service/start-service.ts';
import { groupBy } from '../../harness/group-by.ts';
import { type Profile, profiles } from '../../harness/sampling/profile.ts';
import { readFlags } from '../read-flags.ts';
import { traceRequests } from './trace-requests.ts';

/**
 * Writes all requests that runs against the reference service send, at each profile and seed, and compares them with an
 * earlier trace: a change that should send nothing new shows that it does not. Also prints where a text is sent.
 */

/** Requests by profile, seed and attempt, such as `quick 1 getShop/auth/key/1`. */
type Traces = Readonly<Record<string, readonly string[]>>;

const { values } = readFlags({
  options: {
    out: { type: 'string', default: 'trace.json' },
    against: { type: 'string' },
    sends: { type: 'string' },
    seeds: { type: 'string', default: '1,2,3' },
    profiles: { type: 'string', default: profiles.join() },
  },
});

const mostPrinted = 20;

const traces: Record<string, readonly string[]> = {};
for (const profile of values.profiles.split(',') as Profile[])
  for (const seed of values.seeds.split(',').map(Number)) {
    const { requests } = await traceRequests(startService, { profile, seed });
    for (const [attempt, sent] of Object.entries(requests)) traces[`${profile} ${seed} ${attempt}`] = sent;
    const count = Object.values(requests).flat().length;
    process.stdout.write(`${profile}, seed ${seed}: ${count} requests\n`);
  }
if (values.sends !== undefined) tellWhere(values.sends);
await writeFile(values.out, `${JSON.stringify(traces, undefined, 1)}\n`);
if (values.against !== undefined) {
  const before = JSON.parse(await readFile(values.against, 'utf8')) as Traces;
  const differences = [...new Set([...Object.keys(before), ...Object.keys(traces)])].flatMap((attempt) =>
    compare(attempt, before[attempt] ?? [], traces[attempt] ?? []),
  );
  process.stdout.write(`${differences.length} requests differ\n`);
  for (const line of differences.slice(0, mostPrinted)) process.stdout.write(`${line}\n`);
  if (differences.length > 0) process.exitCode = 1;
}

function compare(attempt: string, before: readonly string[], after: readonly string[]): readonly string[] {
  const changes = diffArrays([...before], [...after]).filter(({ added, removed }) => added || removed);
  return changes.flatMap(({ added, value }) =>
    value.map((line) => `${added ? '+' : '-'} ${attempt}: ${line}`),
  );
}

/** Prints how many requests of each operation hold a text, and in which checks. */
function tellWhere(text: string): void {
  const sent = Object.entries(traces).flatMap(([attempt, lines]) => {
    const [, operation = '', check = ''] = /^\S+ \S+ (\w+)\/(.*)\/\d+$/.exec(attempt) ?? [];
    return lines.filter((line) => line.includes(text)).map(() => ({ operation, check }));
  });
  const operations = [...groupBy(sent, ({ operation }) => operation)];
  process.stdout.write(`${sent.length} requests at ${operations.length} operations send ${text}\n`);
  for (const [operation, calls] of operations) {
    const checks = [...groupBy(calls, ({ check }) => check)];
    const counts = checks.map(([check, some]) => `${check} (${some.length})`);
    process.stdout.write(`${operation}: ${counts.sort().join(', ')}\n`);
  }
}
