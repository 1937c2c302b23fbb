import type { IncomingMessage, ServerResponse } from 'node:http';
import { ids } from '../../spec/operation-ids-for-tests.ts';
import { type Loopback, serveHttp } from '../http/loopback-for-tests.ts';
import type { Target } from '../model/target.ts';
import type { CallSpec } from '../requests/call-spec.ts';
import { CaseClient, type EarlierAttempts } from './case-client.ts';
import { openContext, type TestContext, type TestContextOptions } from './run-context-for-tests.ts';

/** What the test that runs has opened. */
export const open: Array<() => Promise<void>> = [];

/** Closes what a test has opened, the last first; test files say themselves that it follows each test. */
export async function closeAll(): Promise<void> {
  for (const close of open.splice(0).reverse()) await close();
}

/** A request as it arrived. */
export interface Arrival {
  readonly line: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** What is answered; status 200 and `{}` where it is left out, and nothing at all for null. */
export type Reply = {
  readonly status?: number;
  readonly json?: unknown;
  readonly headers?: Record<string, string>;
};

/** A service that notes what arrives and answers as it is told, `{}` where it is told nothing. */
export async function serve(
  reply: (arrival: Arrival, count: number, response: ServerResponse) => Reply | undefined | null,
): Promise<{
  readonly server: Loopback;
  readonly arrivals: Arrival[];
}> {
  const arrivals: Arrival[] = [];
  const server = await serveHttp((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const arrival = {
        line: `${request.method} ${request.url}`,
        headers: request.headers,
        body: Buffer.concat(chunks).toString(),
      };
      arrivals.push(arrival);
      const told = reply(arrival, arrivals.length, response);
      if (told === null) return;
      const { status = 200, json = {}, headers = {} } = told ?? {};
      response
        .writeHead(status, { 'content-type': 'application/json', ...headers })
        .end(JSON.stringify(json));
    });
  });
  open.push(() => server.close());
  return { server, arrivals };
}

/** A context for a service, closed after the test. */
export async function contextOf(origin: string, options: TestContextOptions = {}): Promise<TestContext> {
  const context = await openContext(origin, options);
  open.push(() => context.client.close());
  return context;
}

/** A client of a case, closed after the test. */
export function clientOf(
  context: TestContext,
  operation: string,
  attempt = 1,
  earlier?: EarlierAttempts,
): CaseClient {
  const client = new CaseClient(context, 'area/check', context.operation(operation), attempt, earlier);
  open.push(() => client.close());
  return client;
}

/** A call of no particular kind. */
export const probe: CallSpec = { role: 'probe', label: 'a probe' };
/** The line of a request that creates a session. */
export const create: string = 'POST /api/v1/open/hosted/checkout/sessions';
/** How the target of a session service is described. */
export const sessions: Pick<Target, 'bodies' | 'captures'> = {
  bodies: { [ids.create]: { merchant: 'nord' }, [ids.cancel]: { reason: 'x' } },
  captures: { sessionId: { from: ids.create, pointer: '/id' } },
};

/**
 * Creates sessions cs_1, cs_2 … and says yes to everything else, after it has refused so many cancels, with 404 as if it
 * did not know their sessions yet.
 */
export function sessionService(early = 0, status = 404): ReturnType<typeof serve> {
  let created = 0;
  let cancels = 0;
  return serve(({ line }) => {
    if (line.endsWith('/cancel')) cancels += 1;
    if (line !== create) return line.endsWith('/cancel') && cancels <= early ? { status } : {};
    created += 1;
    return { json: { id: `cs_${created}` } };
  });
}
