import { changeAnswers } from '../../fixtures/mutators/change-answers.ts';
import type { Answer, Call } from '../../fixtures/reference-service/call.ts';
import {
  type OperationDefinition,
  operationTable,
} from '../../fixtures/reference-service/operation-table.ts';
import { Problem, type ProblemStatus } from '../../fixtures/reference-service/problem.ts';
import type { ServiceParts } from '../../fixtures/reference-service/service-parts.ts';
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
    /** Of the drawing, and of the runs. */
    seed: { type: 'string', default: '1' },
    profile: { type: 'string', default: 'standard' },
  },
});

/** A kind of call with one expected status, and the declared status that the faulty service answers instead. */
interface Due {
  readonly name: string;
  readonly applies: (operation: OperationDefinition) => boolean;
  readonly isSeen: (call: Call, status: number) => boolean;
  readonly instead: ProblemStatus;
}

const isKeyed = ({ needsKey }: OperationDefinition): boolean => needsKey;
const isScoped = (call: Call): boolean => (call.client?.scopes.length ?? 0) > 0;

const dues: readonly Due[] = [
  {
    name: 'without a key',
    applies: isKeyed,
    isSeen: ({ credentials }, status) => status === 401 && credentials.length === 0,
    instead: 403,
  },
  {
    name: 'with an unknown key',
    applies: isKeyed,
    isSeen: ({ credentials }, status) => status === 401 && credentials.length > 0,
    instead: 403,
  },
  {
    name: 'without the scope',
    applies: ({ scope }) => scope !== undefined,
    isSeen: (_call, status) => status === 403,
    instead: 401,
  },
  {
    name: 'with an unknown value in the path',
    applies: ({ path }) => path.includes('{'),
    isSeen: (_call, status) => status === 404,
    instead: 403,
  },
  {
    name: 'with another body',
    applies: ({ needsBody }) => needsBody,
    isSeen: (_call, status) => status === 400,
    instead: 403,
  },
  {
    name: 'valid, with the key that holds the scope',
    applies: isKeyed,
    isSeen: (call, status) => status === 200 && isScoped(call),
    instead: 404,
  },
  {
    name: 'valid, with the key that lacks the scope',
    applies: (operation) => isKeyed(operation) && operation.scope === undefined,
    isSeen: (call, status) => status === 200 && !isScoped(call),
    instead: 404,
  },
  {
    name: 'valid, without a key',
    applies: (operation) => !isKeyed(operation),
    isSeen: (_call, status) => status === 200,
    instead: 404,
  },
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
  const due = pick(dues.filter(({ applies }) => applies(operation)));
  const [what, isSeen] = pick(unnoticed);
  const service = await startService({
    alter: [
      (parts) =>
        changeAnswers(parts, { operation: operation.id }, (answer, call) =>
          due.isSeen(call, answer.status) && isSeen(call) ? refusal(parts, call, due.instead) : answer,
        ),
    ],
  });
  try {
    const { results } = await evaluateService(service, {
      options: { profile, seed: Number(values.seed) },
      wants: ({ operation: { id } }) => id === operation.id,
    });
    const isFound = results.some((one) => one.outcome === 'fail' && one.operation === operation.id);
    const count = found.get(due.name) ?? { found: 0, of: 0 };
    found.set(due.name, { found: count.found + (isFound ? 1 : 0), of: count.of + 1 });
    process.stdout.write(`${isFound ? 'found ' : 'missed'} ${operation.id} ${due.name}: ${what}\n`);
  } finally {
    await service.close();
  }
}

for (const [name, count] of found) process.stdout.write(`${name}: ${count.found} of ${count.of}\n`);
const sum = [...found.values()].reduce((total, count) => total + count.found, 0);
process.stdout.write(`${sum} of ${values.pairs} pairs found\n`);

function refusal(parts: ServiceParts, call: Call, status: ProblemStatus): Answer {
  return parts.renderError(new Problem(status, 'The request cannot be carried out.'), call);
}
