import { expect, test } from 'vitest';
import { createRandom } from '../fixtures/reference-service/random.ts';
import { startService } from '../fixtures/reference-service/start-service.ts';
import {
  type Draft,
  derivedReport,
  draftOf,
  forged,
  owner,
  shortRun,
  verified,
} from './certified-run-for-tests.ts';

/** Forgeries that are drawn; `FORGERIES=1000` draws as many as a release wants. */
const count = Number(process.env['FORGERIES'] ?? 60);
/** Milliseconds that one may take on a busy machine. */
const longestMs = 10_000;

type Exchanges = Draft['log']['exchanges'];

/** What a forger may do to the requests of a run, each at a place and with a number that are drawn. */
const forgeries: Readonly<
  Record<string, (exchanges: Exchanges, at: number, other: number, choice: number) => void>
> = {
  'a request is replaced by another': (exchanges, at, other) => {
    const replaced = exchanges[at];
    const { request } = exchanges[other] ?? {};
    if (replaced !== undefined && request !== undefined) replaced.request = structuredClone(request);
  },
  'a request is changed': (exchanges, at, _other, choice) => {
    const { request } = exchanges[at] ?? {};
    if (request === undefined) return;
    const changes = [
      () => request.headers.push(['x-forged', String(choice)]),
      () => request.headers.pop(),
      () => {
        request.path += '?forged=1';
      },
      () => {
        request.method = request.method === 'GET' ? 'POST' : 'GET';
      },
    ];
    changes[choice]?.();
  },
  'a request is left out': (exchanges, at) => {
    exchanges.splice(at, 1);
  },
  'a request is added': (exchanges, at, other) => {
    const copied = exchanges[at];
    if (copied === undefined) return;
    exchanges.splice(other, 0, { ...structuredClone(copied), id: nextId(exchanges, copied.id) });
  },
  'two requests are reordered': (exchanges, at, other) => {
    const [one, two] = [exchanges[at], exchanges[other]];
    if (one === undefined || two === undefined) return;
    exchanges[at] = { ...two, id: one.id, startedAt: one.startedAt };
    exchanges[other] = { ...one, id: two.id, startedAt: two.startedAt };
  },
};

test(`${count} certificates of runs with forged requests are refused`, {
  timeout: count * longestMs,
}, async () => {
  const service = await startService();
  const genuine = await shortRun(service).finally(() => service.close());
  expect((await verified(genuine)).problems).toEqual([]);
  const random = createRandom(count);
  const accepted: string[] = [];
  for (let drawn = 0; drawn < count; ) {
    const draft = draftOf(genuine);
    const { exchanges } = draft.log;
    const pick = (): number => random.below(exchanges.length);
    const names = Object.keys(forgeries);
    const name = names[random.below(names.length)] ?? '';
    const [at, other] = [pick(), pick()];
    const before = requestsIn(exchanges);
    forgeries[name]?.(exchanges, at, other, random.below(4));
    // Requests that are equal may change places: that is the same run.
    if (requestsIn(exchanges) === before) continue;
    drawn += 1;
    const isRefused = async (by: string, of: Draft): Promise<boolean> => {
      const { problems } = await verified(forged(of, owner.privatePem));
      return problems.some((problem) => problem.startsWith(by));
    };
    if (await isRefused('evidence.har: ', draft)) continue;
    // A forger writes the report that fits, where there is one.
    const report = await derivedReport(draft).catch(() => draft.report);
    if (!(await isRefused('', { ...draft, report }))) accepted.push(`${name}: ${at}, ${other}`);
  }
  expect(accepted).toEqual([]);
});

/** The requests in their order, as evidence.har holds them. */
function requestsIn(exchanges: Exchanges): string {
  return JSON.stringify(exchanges.map(({ request }) => request));
}

/** The id of one more request of the attempt that sent `id`. */
function nextId(exchanges: Exchanges, id: string): string {
  const attempt = id.replace(/\d+$/, '');
  const sent = exchanges.filter((one) => one.id.startsWith(attempt)).length;
  return `${attempt}${sent + 1}`;
}
