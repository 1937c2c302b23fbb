import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import fc from 'fast-check';
import { Pool } from 'undici';
import type { TargetDescription } from '../../fixtures/reference-service/describe-target.ts';
import { startService } from '../../fixtures/reference-service/start-service.ts';
import { baseUrlParts } from '../../harness/base-url-parts.ts';
import { CaseClient } from '../../harness/calls/case-client.ts';
import { Run } from '../../harness/engine/run/run.ts';
import type { Target } from '../../harness/model/target.ts';
import { KnownValues } from '../../harness/requests/known-values.ts';
import { defaultOptions } from '../../harness/target/default-options.ts';
import { targetFromObject } from '../../harness/target/target-description.ts';
import { loadContract, type Operation } from '../../spec/contract.ts';
import { packageRoot } from '../../spec/package-root.ts';

/** Two reference services: in this process, like that of a run without a target, and in one that shares no core with it. */
interface Targets {
  readonly embedded: Target;
  readonly separate: Target;
  close(): Promise<void>;
}

/** Starts the targets. */
export async function startTargets(): Promise<Targets> {
  const child = fork(join(packageRoot, 'dist/tools/bench/target-process.js'), { execArgv: [] });
  const [separate] = (await once(child, 'message')) as [TargetDescription];
  const embedded = await startService();
  const contract = await loadContract();
  const target = (one: TargetDescription): Target =>
    targetFromObject(one, 'the target of the benchmark', contract);
  return {
    embedded: target(embedded.target),
    separate: target(separate),
    close: async () => {
      await embedded.close();
      const ended = once(child, 'exit');
      child.disconnect();
      await ended;
    },
  };
}

/** One read with values for its path, exactly as they are sent. */
interface PathInput {
  readonly operation: Operation;
  readonly rawParameters: Readonly<Record<string, string>>;
  /** The path for bare undici, with the prefix of the base URL. */
  readonly path: string;
}

/** One way of making a request and reading its answer. */
export interface Sender {
  send(input: PathInput): Promise<void>;
  close(): Promise<void>;
}

/** Requests per second, and microseconds of processor time per request. */
export interface Pace {
  readonly rate: number;
  readonly cost: number;
}

/** Inputs that a benchmark sends over and over. */
const inputCount = 2_000;
const check = 'bench/path-values';
const { concurrency } = defaultOptions;

/** Random path values for all reads with path parameters in turn; every second input has known values only. */
export async function drawInputs(target: Target): Promise<readonly PathInput[]> {
  const contract = await loadContract();
  const known = new KnownValues(target, contract);
  const operations = contract.operations.filter(
    ({ method, pathParameters }) => method === 'GET' && pathParameters.length > 0,
  );
  const prefix = baseUrlParts(target.baseUrl).basePath;
  const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 });
  return fc.sample(text, { seed: 1, numRuns: inputCount }).map((value, at) => {
    const operation = operations[(at >> 1) % operations.length];
    if (operation === undefined) throw new Error('the contract has no read with path parameters');
    const rawParameters = Object.fromEntries(
      operation.pathParameters.map((name, place) => {
        const valid = known.candidates(operation, name)[0];
        const isDrawn =
          valid === undefined || (at % 2 === 1 && place === operation.pathParameters.length - 1);
        return [name, encodeURIComponent(isDrawn ? value : valid)];
      }),
    );
    const path = operation.path.replace(/\{(\w+)\}/g, (_all, name: string) => rawParameters[name] ?? '');
    return { operation, rawParameters, path: prefix + path };
  });
}

/** `pool.request` as undici documents it, with the headers of the harness; the body is read as JSON. */
export function bareUndici(target: Target): Sender {
  const { origin } = baseUrlParts(target.baseUrl);
  const pool = new Pool(origin, { connections: concurrency, pipelining: 1 });
  const headers = {
    ...{ 'user-agent': 'bench', accept: 'application/json', 'x-request-id': 'bench/1' },
    authorization: target.authorization.replace('{key}', () => target.keys.scoped ?? ''),
    ...Object.fromEntries(target.headers),
  };
  return {
    send: async ({ operation, path }) => {
      const { body } = await pool.request({ method: operation.method, path, headers });
      await body.json();
    },
    close: () => pool.destroy(),
  };
}

/** An exchange as a run makes it: prepared, paced, sent, recorded without secrets, and evaluated by every passive check. */
export async function wholePath(target: Target): Promise<Sender> {
  const options = { ...defaultOptions, maxRequests: Number.MAX_SAFE_INTEGER };
  const run = await Run.open({ target, options });
  const { unreachable } = await run.preflight();
  if (unreachable !== undefined) throw new Error(unreachable);
  const clients = new Map<string, CaseClient>();
  return {
    send: async ({ operation, rawParameters }) => {
      const client = clients.get(operation.id) ?? new CaseClient(run.context, check, operation, 1);
      clients.set(operation.id, client);
      const exchange = await client.call({
        role: 'probe',
        label: 'path value',
        rawParameters,
        isOrdinary: () => true,
      });
      if (exchange.response === undefined) throw new Error(`no answer: ${exchange.failure?.message}`);
    },
    close: () => run.close(),
  };
}

/** Sends inputs in turn, many at once, while `mayContinue` allows it. */
export async function sendWhile(
  sender: Sender,
  inputs: readonly PathInput[],
  mayContinue: (sent: number, elapsedMs: number) => boolean,
): Promise<Pace & { readonly sent: number }> {
  let sent = 0;
  const started = performance.now();
  const cpu = process.cpuUsage();
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      while (mayContinue(sent, performance.now() - started)) {
        const input = inputs[sent % inputs.length];
        sent += 1;
        if (input !== undefined) await sender.send(input);
      }
    }),
  );
  const { user, system } = process.cpuUsage(cpu);
  return { sent, rate: (sent * 1000) / (performance.now() - started), cost: (user + system) / sent };
}
