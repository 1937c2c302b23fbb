import { afterEach, describe, expect, it } from 'vitest';
import { ids } from '../../spec/operation-ids-for-tests.ts';
import { exampleOperation } from '../checks/example-exchange.ts';
import type { CallChanges, CallSpec, RequestContext } from '../requests/call-spec.ts';
import { clientHeaders } from '../requests/client-headers.ts';
import { type Rider, riderRows } from '../requests/riders.ts';
import type { Profile } from '../sampling/profile.ts';
import type { CaseClient } from './case-client.ts';
import { type Arrival, clientOf, closeAll, contextOf, type Reply, serve } from './case-client-for-tests.ts';
import type { CaseFacts } from './case-facts.ts';
import { ridingAlong } from './ride-along.ts';

afterEach(closeAll);

const read = exampleOperation();
const refusal: Reply = { status: 401, json: { code: 'unauthorized' } };

/** What rides along on one call after the other. */
function ridersOn(
  profile: Profile,
  seed: number,
): (expects?: readonly number[], headers?: CallSpec['headers']) => readonly Rider[] {
  const context = { profile, seed, keys: { scoped: {}, unscoped: {} }, target: { headers: [] } };
  const sendingFor = { check: 'area/check', operation: read, attempt: 1 };
  const facts = { isNoticedEverywhere: () => false } as unknown as CaseFacts;
  const riding = ridingAlong(context as unknown as RequestContext, sendingFor, facts);
  return (expects = [404], headers = {}) => riding.on({ role: 'probe', label: 'a probe', expects, headers });
}

describe('riders', () => {
  it('are the same for a seed, others for each call, and meet in many pairs', () => {
    const drawn = (seed: number): readonly string[] => {
      const next = ridersOn('standard', seed);
      return Array.from({ length: 60 }, () => JSON.stringify(next()));
    };
    expect(drawn(1)).toEqual(drawn(1));
    expect(drawn(1)).not.toEqual(drawn(2));
    expect(new Set(drawn(1)).size).toBeGreaterThan(40);
  });

  it('of a quick run leave out no header', () => {
    const names = (profile: Profile): readonly string[] => ridersOn(profile, 1)().map(([name]) => name);
    expect(names('quick').length).toBeGreaterThan(names('standard').length);
    expect(names('quick')).toEqual(expect.arrayContaining(Object.keys(clientHeaders)));
  });

  it('leave a call with many headers below the limits of common servers', () => {
    const headers = Object.fromEntries(Array.from({ length: 35 }, (_, at) => [`x-${at}`, 'a']));
    const next = ridersOn('quick', 1);
    expect(next([403], headers)).toHaveLength(5);
    expect(next([403], headers)).not.toEqual(next([403], headers));
  });

  it('take four values of each header on the first calls of a refused step, and every value later', () => {
    const next = ridersOn('standard', 3);
    const calls = Array.from({ length: 30 }, () => next());
    const values = (some: typeof calls, name: string): ReadonlySet<string> =>
      new Set(some.flat().flatMap(([factor, value]) => (factor === name ? [value] : [])));
    const languages = Object.values(clientHeaders['accept-language']);
    expect(values(calls.slice(0, riderRows), 'accept-language')).toEqual(new Set(languages.slice(0, 4)));
    expect(values(calls, 'accept-language')).toEqual(new Set(languages));
  });
});

/** What a call without a key meets whose answer depends on its headers. */
async function call(answer: (headers: Arrival['headers'], count: number) => Reply): Promise<{
  readonly status: number | undefined;
  readonly sent: readonly Arrival[];
  readonly neutral: unknown;
}> {
  const { server, arrivals } = await serve(({ headers }, count) => answer(headers, count));
  const client = clientOf(await contextOf(server.origin), ids.identity);
  const { none } = client.keys;
  const exchange = await client.call({ role: 'probe', label: 'no key', credential: none, expects: [401] });
  return { status: exchange.response?.status, sent: arrivals, neutral: exchange.neutral };
}

describe('a call with an expected status', () => {
  it('is sent once where it is answered so', async () => {
    const { sent, neutral } = await call(() => refusal);
    expect(sent).toHaveLength(1);
    expect(neutral).toBeDefined();
  });

  it('is sent without the headers after any other answer, which then decides', async () => {
    const { status, sent, neutral } = await call(() => ({ status: 200 }));
    expect(sent).toHaveLength(2);
    expect([status, neutral]).toEqual([200, undefined]);
  });

  it('is sent with fewer headers until the one that matters is left', async () => {
    let rode: string | undefined;
    const { status, neutral } = await call((headers) => {
      // Whatever the seed sends: the first header that no plain call has.
      rode ??= Object.keys(headers).find((name) =>
        ['accept-language', 'cookie', 'via', 'origin'].includes(name),
      );
      return rode !== undefined && headers[rode] !== undefined ? { status: 200 } : refusal;
    });
    expect([status, neutral]).toEqual([200, [rode]]);
  });

  it('is not searched where a repetition is answered as expected', async () => {
    const { status, sent } = await call((_headers, count) => (count === 1 ? { status: 500 } : refusal));
    expect(sent).toHaveLength(3);
    expect(status).toBe(500);
  });
});

function withoutKey({ keys }: CaseClient): CallSpec & CallChanges {
  return { role: 'probe', label: 'no key', credential: keys.none, expects: [401], step: 'refused' };
}

describe('a call that is made again', () => {
  it.each([
    ['without the headers, where these do not matter', () => ({ status: 200 }), 1, false],
    [
      'with them as well, where they do',
      ({ headers }: Arrival) => (headers['accept-language'] === undefined ? refusal : { status: 200 }),
      2,
      true,
    ],
  ])('is sent %s', async (_how, answer: (arrival: Arrival) => Reply, calls, rides) => {
    const { server, arrivals } = await serve(answer);
    const context = await contextOf(server.origin);
    const first = clientOf(context, ids.create);
    const call = { ...withoutKey(first), body: 'none' as const };
    const shown = await first.call(call);
    expect([arrivals.length, shown.neutral === undefined]).toEqual([1, false]);
    const again = await clientOf(context, ids.create, 2, { shown: [shown], areAll: true }).call(call);
    expect([arrivals.length - 1, again.neutral !== undefined]).toEqual([calls, rides]);
    expect(again.response?.status).toBe(200);
  });
});

describe('what other operations have shown', () => {
  it('is what the search for a cause begins with', async () => {
    const { server, arrivals } = await serve(({ headers }) =>
      headers['cookie'] === undefined ? refusal : { status: 500 },
    );
    const context = await contextOf(server.origin);
    const client = clientOf(context, ids.identity);
    for (const value of Object.values(clientHeaders.cookie)) context.noticed.note(['cookie', value], 'other');
    const call = withoutKey(client);
    const { response, neutral } = await client.call(call);
    expect([response?.status, neutral]).toEqual([500, ['cookie']]);
    // With everything, plain, with everything again, and with the cookie alone.
    expect(arrivals).toHaveLength(4);
  });

  it('rides along no more once three operations have noticed it', async () => {
    const { server, arrivals } = await serve(() => refusal);
    const context = await contextOf(server.origin);
    for (const operation of ['a', 'b', 'c']) context.noticed.note(['cookie', 'session=expired'], operation);
    const client = clientOf(context, ids.identity);
    await client.call(withoutKey(client));
    expect(arrivals.map(({ headers }) => headers['cookie'])).toEqual([undefined]);
  });
});

describe('what a conforming service may refuse', () => {
  it('is left out of the call, which is then sent without it', async () => {
    const queries: boolean[] = [];
    const { server } = await serve(({ line }) => {
      const hasQuery = line.includes('?');
      queries.push(hasQuery);
      return hasQuery ? { status: 400 } : refusal;
    });
    const client = clientOf(await contextOf(server.origin), ids.identity);
    const step = withoutKey(client);
    for (let nth = 0; nth < 2 * riderRows; nth += 1)
      expect((await client.call(step)).response?.status).toBe(401);
    // Once it was refused, it rides along no more.
    expect(queries.filter(Boolean)).toHaveLength(1);
  });

  it('rides only where its refusal is not what the call expects', () => {
    const next = ridersOn('standard', 3);
    const factors = (expects: readonly number[]): ReadonlySet<string> =>
      new Set(
        Array.from({ length: riderRows }, () => next(expects)).flatMap((row) => row.map(([one]) => one)),
      );
    expect(factors([401]).has('query')).toBe(true);
    expect(factors([400, 404]).has('query')).toBe(true);
    expect(factors([400]).has('query')).toBe(false);
    expect(factors([200, 400, 404]).has('query')).toBe(false);
  });
});
