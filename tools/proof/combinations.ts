import { changeAnswers } from '../../fixtures/mutators/change-answers.ts';
import type { Call } from '../../fixtures/reference-service/call.ts';
import {
  type OperationDefinition,
  operationTable,
} from '../../fixtures/reference-service/operation-table.ts';
import { Problem, type ProblemStatus } from '../../fixtures/reference-service/problem.ts';
import { startService } from '../../fixtures/reference-service/start-service.ts';
import { type Profile, profiles } from '../../harness/sampling/profile.ts';
import { seededRandom } from '../../harness/seeded-random.ts';
import { readFlags } from '../read-flags.ts';
import { evaluateService } from './evaluate-service.ts';

/**
 * Draws services that fail only where two values of different factors meet: one that determines the expected status, and one
 * that a service may not notice. Prints of each whether a run finds it, and how many it finds in all.
 */

const { values } = readFlags({
  options: {
    pairs: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
    profile: { type: 'string', default: 'standard' },
  },
});

const isKeyed = ({ needsKey }: OperationDefinition): boolean => needsKey;
const isPublic = (operation: OperationDefinition): boolean => !isKeyed(operation);
const isScoped = (call: Call): boolean => (call.client?.scopes.length ?? 0) > 0;

const isAny = (): boolean => true;

/** Kinds of calls with one expected status, and the declared status that the faulty service answers instead. */
const dues: ReadonlyArray<
  readonly [
    name: string,
    applies: (operation: OperationDefinition) => boolean,
    status: number,
    isSeen: (call: Call) => boolean,
    instead: ProblemStatus,
  ]
> = [
  ['without a key', isKeyed, 401, ({ credentials }) => credentials.length === 0, 403],
  ['with an unknown key', isKeyed, 401, ({ credentials }) => credentials.length > 0, 403],
  ['without the scope', ({ scope }) => scope !== undefined, 403, isAny, 401],
  ['with an unknown value in the path', ({ path }) => path.includes('{'), 404, isAny, 403],
  ['with another body', ({ needsBody }) => needsBody, 400, isAny, 403],
  ['valid, with the key that holds the scope', isKeyed, 200, isScoped, 404],
  [
    'valid, with the key that lacks the scope',
    (operation) => isKeyed(operation) && operation.scope === undefined,
    200,
    (call) => !isScoped(call),
    404,
  ],
  ['valid, without a key', isPublic, 200, isAny, 404],
];

const header =
  (name: string, pattern: RegExp) =>
  ({ request: { headers } }: Call): boolean =>
    pattern.test(String(headers[name] ?? ''));

/** Headers and query parameters of clients, browsers and proxies, whether the harness has values of them or not. */
const unnoticed: ReadonlyArray<readonly [name: string, isSeen: (call: Call) => boolean]> = [
  ['Accept with text/html', header('accept', /text\/html/)],
  ['Accept with a wildcard alone', header('accept', /^\*\/\*$/)],
  ['Accept with several types', header('accept', /,/)],
  ['Accept-Language de', header('accept-language', /^de/)],
  ['Accept-Language fr', header('accept-language', /^fr/)],
  ['Accept-Language ja', header('accept-language', /^ja/)],
  ['any Accept-Language', header('accept-language', /./)],
  ['Accept-Encoding br', header('accept-encoding', /\bbr\b/)],
  ['Accept-Encoding gzip alone', header('accept-encoding', /^gzip$/)],
  ['Accept-Encoding identity', header('accept-encoding', /^identity$/)],
  ['a browser', header('user-agent', /^Mozilla/)],
  ['a telephone', header('user-agent', /iPhone|Android/)],
  ['a cookie', header('cookie', /./)],
  ['a cookie named session', header('cookie', /\bsession=/)],
  ['Cache-Control no-cache', header('cache-control', /no-cache/)],
  ['Origin', header('origin', /./)],
  ['a foreign Origin', header('origin', /^https/)],
  ['Via', header('via', /./)],
  ['X-Forwarded-For', header('x-forwarded-for', /./)],
  ['If-None-Match', header('if-none-match', /./)],
  ['Referer', header('referer', /./)],
  ['Connection close', header('connection', /close/)],
  ['a query parameter utm_source', ({ query }) => query.has('utm_source')],
  ['any query parameter', ({ query }) => query.size > 0],
];

const random = seededRandom(Number(values.seed), 'combinations');
const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
const profile = profiles.find((one): one is Profile => one === values.profile) ?? 'standard';
const found = new Map<string, { found: number; of: number }>();

for (let drawn = 0; drawn < Number(values.pairs); drawn += 1) {
  const operation = pick(operationTable);
  const [kind, , status, isDue, instead] = pick(dues.filter(([, applies]) => applies(operation)));
  const [what, isSeen] = pick(unnoticed);
  const service = await startService({
    alter: [
      (parts) =>
        changeAnswers(parts, { operation: operation.id }, (answer, call) =>
          answer.status === status && isDue(call) && isSeen(call)
            ? parts.renderError(new Problem(instead, 'The request cannot be carried out.'), call)
            : answer,
        ),
    ],
  });
  try {
    const { results } = await evaluateService(service, {
      options: { profile, seed: Number(values.seed) },
      wants: ({ operation: { id } }) => id === operation.id,
    });
    const isFound = results.some((one) => one.outcome === 'fail' && one.operation === operation.id);
    const count = found.get(kind) ?? { found: 0, of: 0 };
    found.set(kind, { found: count.found + (isFound ? 1 : 0), of: count.of + 1 });
    process.stdout.write(`${isFound ? 'found ' : 'missed'} ${operation.id} ${kind}: ${what}\n`);
  } finally {
    await service.close();
  }
}

for (const [name, count] of found) process.stdout.write(`${name}: ${count.found} of ${count.of}\n`);
const sum = [...found.values()].reduce((total, count) => total + count.found, 0);
process.stdout.write(`${sum} of ${values.pairs} pairs found\n`);
