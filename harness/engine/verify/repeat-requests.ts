import { createHmac, randomBytes, randomInt } from 'node:crypto';
import { baseUrlParts } from '../../base-url-parts.ts';
import { isBlockedInFront, statusOf } from '../../evidence/answer.ts';
import type { Evidence } from '../../evidence/read-evidence.ts';
import type { Exchange } from '../../model/exchange.ts';
import { ask, type Question } from '../../target/ask.ts';
import type { Run } from '../run/run.ts';

/** The outcome of repeating recorded requests. */
export interface RepeatedRequests {
  readonly repeated: number;
  /** Responses that contradict the recorded ones, in a sentence each. */
  readonly differences: readonly string[];
}

/** A recorded request, and the question that sends it again as it was. */
interface Repeatable {
  readonly exchange: Exchange;
  readonly question: Question;
}

/**
 * Sends recorded reads again, byte for byte but for the headers. Invented evidence holds responses that the service does
 * not give. One response that differs suffices; what a limiter answers, and a lost connection, count only if they last.
 */
export async function repeatRequests(
  run: Run,
  evidence: Pick<Evidence, 'exchanges'>,
  most: number,
): Promise<RepeatedRequests> {
  const differences: string[] = [];
  let repeated = 0;
  for (const one of await sampleOf(run, evidence, most)) {
    const first = await send(run, one);
    if (first === undefined || first.response?.status === 429) continue;
    repeated += 1;
    const difference = differenceOf(one.exchange, first);
    if (difference === undefined) continue;
    // It says nothing of the service unless it lasts: none came, or a page that a limiter in front may have sent.
    const mayPass = statusOf(first) === undefined || isBlockedInFront(first);
    const last = mayPass ? ((await send(run, one)) ?? first) : first;
    if (differenceOf(one.exchange, last) !== undefined)
      differences.push(
        `${one.exchange.operation} ${one.exchange.request.path}, sent as recorded: ${difference}`,
      );
  }
  return { repeated, differences };
}

/** Random requests in random order, each with one of its recorded responses; holds only these. */
async function sampleOf(
  run: Run,
  { exchanges }: Pick<Evidence, 'exchanges'>,
  most: number,
): Promise<readonly Repeatable[]> {
  const salt = randomBytes(16);
  const kept = new Map<string, { readonly rank: string; readonly one: Repeatable }>();
  for await (const exchange of exchanges()) {
    const one = repeatable(run, exchange);
    if (one === undefined) continue;
    const request = `${exchange.request.path} ${exchange.request.credential.kind}`;
    // Equal requests have equal ranks; which of their responses is kept is random too.
    if (kept.has(request) && randomInt(2) === 0) continue;
    kept.set(request, { rank: createHmac('sha256', salt).update(request).digest('hex'), one });
    if (kept.size <= most) continue;
    const [last] = [...kept].reduce((a, b) => (a[1].rank > b[1].rank ? a : b));
    kept.delete(last);
  }
  return [...kept.values()].sort((a, b) => (a.rank < b.rank ? -1 : 1)).map(({ one }) => one);
}

function repeatable(run: Run, exchange: Exchange): Repeatable | undefined {
  const { request, role } = exchange;
  const operation = run.context.contract.find(exchange.operation);
  const { kind } = request.credential;
  const credential = kind === 'invalid' ? undefined : run.context.keys[kind];
  const status = statusOf(exchange) ?? 500;
  const isStable =
    request.method === 'GET' &&
    ['control', 'probe', 'witness'].includes(role) &&
    status < 500 &&
    status !== 429 &&
    request.headers.some(([name, value]) => name === 'accept' && value === 'application/json') &&
    // Sessions and logins of the run are over.
    Object.values(request.values).every(({ source }) => source !== 'captured');
  if (!isStable || operation === undefined || credential === undefined) return undefined;
  if (operation.pathParameters.some((name) => run.context.contract.issuerOf(name) !== undefined))
    return undefined;
  const { basePath } = baseUrlParts(run.context.target.baseUrl);
  const [path = '', query = ''] = request.path.split(/\?(.*)/s, 2);
  const rawParameters = Object.fromEntries(
    Object.entries(request.values).map(([name, { value }]) => [name, encodeURIComponent(value)]),
  );
  const rebuilt =
    basePath + operation.path.replace(/\{(\w+)\}/g, (_all, name: string) => rawParameters[name] ?? '');
  const known = new URLSearchParams(run.context.known.query(operation)).toString();
  if (rebuilt !== path || !query.startsWith(known) || request.path.includes('<')) return undefined;
  const further = query.slice(known.length).replace(/^&/, '');
  const question = { operation, label: 'sent as recorded', credential, rawParameters };
  return { exchange, question: { ...question, ...(further !== '' && { query: further }) } };
}

async function send(run: Run, { question }: Repeatable): Promise<Exchange | undefined> {
  return (await ask(run.context, question)).exchange;
}

function differenceOf(
  { response: before }: Exchange,
  { response: now, failure }: Exchange,
): string | undefined {
  if (before === undefined) return undefined;
  if (now === undefined) return `recorded ${before.status}, now ${failure?.kind ?? 'no response'}`;
  if (now.status === 429) return undefined;
  if (kindOf(before.status) !== kindOf(now.status)) return `recorded ${before.status}, now ${now.status}`;
  if (before.body.json === now.body.json || before.body.truncated || now.body.truncated) return undefined;
  return `recorded a body that is ${before.body.json}, now ${now.body.json}`;
}

/** Statuses between which a service may change without a fault, such as 400 and 404. */
function kindOf(status: number): string {
  if (status === 401 || status === 403) return String(status);
  return status >= 500 ? '5xx' : status >= 400 ? '4xx' : '2xx';
}
