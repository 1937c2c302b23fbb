import type { Plan } from '../harness/engine/run/plan.ts';
import { mostShards } from '../harness/engine/run/plan-run.ts';
import { parseShard, shardInWords } from '../harness/results/shard-text.ts';
import { UsageError } from '../harness/usage-error.ts';
import type { Settings } from './options/read-settings.ts';

/** Requests that the usual limit is raised by for each further shard: each has a preflight, and keeps some back to clean up. */
const requestsOfShard = 200;

/** The settings of the shard that a flag or the target file names; refuses runs that cannot be divided. */
export function withShard(
  settings: Settings,
  whole: Plan,
  { evidence, flag }: { readonly evidence: boolean; readonly flag: boolean },
): Settings {
  const { given, options, embedded } = settings;
  const text = given['shard'];
  if (typeof text !== 'string') return settings;
  const where = flag ? '--shard' : 'options.shard';
  const shard = parseShard(text);
  if (shard === undefined)
    throw new UsageError({
      where,
      what: `${text === '' ? 'an empty text' : text} does not name a shard`,
      remedy: 'give part and total, such as 2/4; parts count from 1',
    });
  const most = mostShards(whole);
  if (shard.of > most) {
    throw new UsageError({
      where,
      what: `there are ${shard.of} shards, but the cases can be divided into at most ${most}`,
      why: 'the cases of one operation stay together, and so do all on checkout sessions, and all on hosted logins',
      remedy: most < 2 ? 'leave it out' : `use at most ${most} shards`,
    });
  }
  if (embedded) {
    throw new UsageError({
      where,
      what: 'the embedded service belongs to one run, and shards must test the same service',
      remedy: 'start one with: npx commerce-conformance serve --write-target target.yaml',
    });
  }
  const why = [
    !evidence && '--no-evidence leaves nothing to merge',
    given['baseline'] !== undefined && 'a baseline applies to all findings: pass it to merge',
    given['checks'] !== undefined &&
      'custom checks need the exchanges of all shards: pass --checks to a separate run without shards',
    options.provokeRateLimit &&
      '--provoke-rate-limit would throttle the other shards: pass it to a separate run',
  ].filter((reason) => typeof reason === 'string');
  if (why.length > 0) {
    throw new UsageError({
      where,
      what: 'a shard is only a part of the run',
      why,
      remedy: 'run without that, or without shards',
    });
  }
  const { maxRequests, concurrency } = options;
  for (const [flag, value, asGiven] of [
    ['--concurrency', concurrency, given['concurrency']],
    ['--max-requests', maxRequests, given['maxRequests']],
  ] as const) {
    if (asGiven === undefined || value >= shard.of) continue;
    throw new UsageError({
      where: flag,
      what: `${value} cannot be divided: this is ${shardInWords(shard)}`,
      why: 'it applies to all shards together, which run at the same time',
      remedy: `give at least ${shard.of}, or fewer shards`,
    });
  }
  return {
    ...settings,
    options: {
      ...options,
      shard,
      maxRequests:
        given['maxRequests'] === undefined ? maxRequests + (shard.of - 1) * requestsOfShard : maxRequests,
      // With fewer requests at once than usual, a shard would miss failures under concurrency.
      concurrency: given['concurrency'] === undefined ? concurrency * shard.of : concurrency,
    },
  };
}
