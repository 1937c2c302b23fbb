import type { Contract, Operation } from '../../../spec/contract.ts';
import { baseUrlParts } from '../../base-url-parts.ts';
import { misstatedBody } from '../../evidence/answer.ts';
import { callKey } from '../../evidence/call-key.ts';
import { type EvidenceRun, evaluatedNumbers, prefixOf } from '../../evidence/evidence-format.ts';
import type { Evidence } from '../../evidence/read-evidence.ts';
import { BlockRecognizer } from '../../evidence/recognize-blocks.ts';
import type { Exchange } from '../../model/exchange.ts';
import { classify, type Meaning } from '../../pacing/classify.ts';
import { requestIdForm, requestIdOf } from '../../requests/request-id.ts';
import { type Plan, sufficientRequests } from '../run/plan.ts';

/** What sends requests besides cases. */
const otherSenders: ReadonlyMap<string, readonly Exchange['role'][]> = new Map<
  string,
  readonly Exchange['role'][]
>([
  ['preflight', ['preflight', 'setup']],
  ['cleanup', ['cleanup', 'setup']],
  ['provocation', ['provocation', 'probe', 'setup']],
]);

/** Milliseconds by which the clocks of run and exchange may be off. */
const slack = 5_000;
/** Milliseconds by which an answer may be recorded after another that came later. */
const slackOfOrder = 1_000;
/** Statements about one kind of thing that are made at the most. */
const mostSimilar = 5;

/** When a run took place, as its report says. */
export interface Span {
  readonly startedAt: string;
  readonly durationMs: number;
}

/** What recorded exchanges say of themselves that cannot be true together, in a sentence each. */
export async function inconsistencies(
  evidence: Evidence,
  contract: Contract,
  plan: Plan,
  span: Span,
): Promise<readonly string[]> {
  const { run } = evidence;
  const operations = new Map(contract.operations.map((operation) => [operation.id, operation]));
  const cases = new Set(plan.active.map(({ id }) => id));
  const stepsOf = new Map(plan.active.map(({ id, check }) => [id, check.steps]));
  const fingerprints = new Map<string, string>();
  const found = new Map<string, string[]>();
  const object = (kind: string, statement: string): void => {
    found.set(kind, [...(found.get(kind) ?? []), statement]);
  };
  const start = Date.parse(span.startedAt);
  let latestEnd = Number.NEGATIVE_INFINITY;
  const byPrefix = new Map<string, SeenExchanges>();
  let isThrottled = false;
  const cancelled = new Set<string>();
  const blocks = new BlockRecognizer();

  for await (const exchange of evidence.exchanges()) {
    const { id, request } = exchange;
    const say = (kind: string, statement: string): void => object(kind, `${id}: ${statement}`);
    const prefix = prefixOf(exchange);
    if (!id.startsWith(prefix) || !/^[1-9]\d{0,8}$/.test(id.slice(prefix.length)))
      say('id', 'the id is not that of its case and attempt');
    const number = Number(id.slice(prefix.length));
    const seen = byPrefix.get(prefix) ?? {
      check: exchange.case.check,
      numbers: new Set(),
      aside: new Set(),
      early: new Map(),
    };
    byPrefix.set(prefix, seen);
    if (seen.numbers.has(number)) say('id', 'the id stands twice');
    seen.numbers.add(number);
    const operation = operations.get(exchange.operation);
    const meaning = classify(exchange, operation?.role);
    if (mayBeSetAside(exchange, meaning)) seen.aside.add(number);
    isThrottled ||= exchange.response?.status === 429;
    const { sessionId } = request.values;
    if (operation?.role === 'ends-session' && sessionId !== undefined) cancelled.add(sessionId.value);
    noteRetry(seen, exchange, { number, isEarly: meaning === 'too early' });
    const { step, role } = exchange;
    const sender = `${exchange.case.operation}/${exchange.case.check}`;
    const due = step === undefined ? undefined : stepsOf.get(sender)?.[step]?.role;
    if (due !== undefined && due !== role)
      say('role', `the role of its step is ${due}, and it is called a ${role}`);
    if (operation === undefined || !operations.has(exchange.case.operation))
      say('operation', 'the contract has no such operation');
    else if (!isRoutedTo(operation, request, baseUrlParts(run.target.baseUrl).basePath))
      say('operation', `${request.method} ${request.path} is not ${operation.id}`);
    if (!belongs(exchange, cases)) say('case', 'no planned case sends it');
    for (const statement of wrongHeaders(exchange, run)) say('header', statement);
    for (const statement of wrongCredential(exchange, run, fingerprints)) say('credential', statement);
    if (blocks.isBlocked(exchange) !== (exchange.blockedInFront === true))
      say('block', 'whether a firewall answered it is not what the calls before the first case show');
    const misstated = misstatedBody(exchange);
    if (misstated !== undefined) say('body', misstated);
    if (isNoControl(exchange, operation, run))
      say('role', 'it is called a valid call, and carries no good key');
    if (exchange.response === undefined && exchange.failure === undefined)
      say('answer', 'there is neither an answer nor a reason for none');
    const began = Date.parse(exchange.startedAt);
    const ended = began + exchange.durationMs;
    if (!(began >= start - slack && ended <= start + span.durationMs + slack))
      say('time', `it was not sent while the run of ${span.startedAt} went on`);
    if (ended < latestEnd - slackOfOrder) say('time', 'it ended long before others that stand before it');
    latestEnd = Math.max(latestEnd, ended);
  }
  for (const statement of wrongAttempts(evidence, cases, byPrefix)) object('attempt', statement);
  for (const statement of wrongDecisions(evidence, plan, cancelled)) object('decision', statement);
  if (!isThrottled) for (const statement of gaps(evidence, byPrefix)) object('gap', statement);
  return [...found.values()].flatMap((statements) =>
    statements.length <= mostSimilar
      ? statements
      : [...statements.slice(0, mostSimilar), `and ${statements.length - mostSimilar} more of this kind`],
  );
}

/** Decisions that the recorded exchanges or the limit of requests rule out. */
function wrongDecisions(
  { attempts, run }: Evidence,
  plan: Plan,
  cancelled: ReadonlySet<string>,
): readonly string[] {
  const sending = { ...run.options, hasDocument: run.document !== undefined };
  const isEnough = run.options.maxRequests >= sufficientRequests(plan, sending);
  return attempts.flatMap((attempt) => {
    const name = prefixOf(attempt).slice(0, -1);
    return Object.entries(attempt.decisions ?? {}).flatMap(([key, decision]) => {
      const session = /^ended (.*?)(?: \(\d+\))?$/s.exec(key)?.[1];
      if (session !== undefined && !cancelled.has(session))
        return [`${name}: the session ${session} is said to have ended, and no call ended it`];
      if (isEnough && key.startsWith('inputs '))
        return [`${name}: ${decision} random inputs were sent, and the limit of requests had room for all`];
      return [];
    });
  });
}

/** The exchanges of one attempt, by their numbers. */
interface SeenExchanges {
  readonly check: string;
  readonly numbers: Set<number>;
  /** Those that may be kept from the evaluation. */
  readonly aside: Set<number>;
  /** By call, those that may have come too early, if the same call follows. */
  readonly early: Map<string, readonly number[]>;
}

/** A call that came too early decides nothing where the attempt sent it again. */
function noteRetry(
  { aside, early }: SeenExchanges,
  exchange: Exchange,
  { number, isEarly }: { readonly number: number; readonly isEarly: boolean },
): void {
  const { path, body, credential } = exchange.request;
  const call = `${exchange.operation} ${callKey(exchange)} ${path} ${body?.text} ${credential.description}`;
  for (const before of early.get(call) ?? []) aside.add(before);
  early.set(call, isEarly ? [number] : []);
}

function belongs({ case: sender, role }: Exchange, cases: ReadonlySet<string>): boolean {
  const roles = otherSenders.get(sender.check);
  if (roles !== undefined) return roles.includes(role);
  return cases.has(`${sender.operation}/${sender.check}`) && role !== 'preflight' && role !== 'provocation';
}

/** Whether what is said to be a valid call lacks the key that it would have had. */
function isNoControl(
  { role, request }: Exchange,
  operation: Operation | undefined,
  run: EvidenceRun,
): boolean {
  if (role !== 'control' && role !== 'setup') return false;
  const { kind } = request.credential;
  return kind === 'invalid' || (kind === 'none' && operation?.auth === 'api-key' && run.target.keys.scoped);
}

/** Whether method and path are those of the operation; values may be anything, even what ends the path early. */
function isRoutedTo(operation: Operation, request: Exchange['request'], basePath: string): boolean {
  if (request.method !== operation.method && request.method !== 'HEAD') return false;
  const names = Object.keys(request.values);
  if ([...operation.pathParameters].sort().join() !== names.sort().join()) return false;
  const literal = (basePath + operation.path).split(/\{\w+\}/);
  const isRouted = (path: string): boolean => {
    let at = 0;
    return literal.every((part, index) => {
      const place = index === 0 ? (path.startsWith(part) ? 0 : -1) : path.indexOf(part, at);
      at = place + part.length;
      return place >= 0 && (index > 0 || literal.length > 1 || path.split('?', 1)[0] === part);
    });
  };
  // Letters may be escaped, slashes doubled, and a segment have parameters, to pass a guard.
  const plain = request.path
    .replace(/%(?:[46][1-9a-f]|[57][0-9a])/gi, decodeURIComponent)
    .replace(/\/{2,}/g, '/')
    .replace(/;[^/?]*/g, '');
  return [request.path, plain].some(isRouted);
}

function wrongHeaders({ id, role, request }: Exchange, run: EvidenceRun): readonly string[] {
  // Headers of the user's own may follow.
  const headerOf = (wanted: string): string => request.headers.find(([name]) => name === wanted)?.[1] ?? '';
  const statements: string[] = [];
  const requestId = headerOf('x-request-id');
  // A probe may act as another client, with an id of its own, or as none that says its name.
  const isOwnId = role === 'probe' && !requestIdForm.test(requestId);
  if (!isOwnId && !(run.shards ?? [run.id]).some((one) => requestId === requestIdOf(one, id)))
    statements.push(`the request id is not that of the run ${run.id}`);
  const userAgent = run.options.userAgent ?? `${run.harness.name}/${run.harness.version}`;
  if (role !== 'probe' && headerOf('user-agent') !== userAgent)
    statements.push(`it was not sent by ${run.harness.name} ${run.harness.version}`);
  return statements;
}

const descriptions: Readonly<Record<string, string>> = {
  none: 'no credentials',
  scoped: 'scoped key',
  unscoped: 'unscoped key',
};

function wrongCredential(
  { request }: Exchange,
  run: EvidenceRun,
  fingerprints: Map<string, string>,
): readonly string[] {
  const { kind, description, fingerprint } = request.credential;
  const sent = request.headers.filter(([name]) => name === 'authorization').map(([, value]) => value);
  const said =
    kind === 'none' || sent.length === 0
      ? []
      : [run.target.authorization.replace('{key}', () => `<${description}>`)];
  const statements: string[] = [];
  const isNamed = Object.hasOwn(descriptions, kind)
    ? descriptions[kind] === description
    : !Object.values(descriptions).includes(description);
  if (!isNamed) statements.push(`the ${description} is no credential of the kind ${kind}`);
  // An invalid key may come in another scheme than the target's.
  const isAnotherScheme =
    kind === 'invalid' && sent.length === 1 && sent[0]?.includes(`<${description}>`) === true;
  if ((sent.join() !== said.join() && !isAnotherScheme) || (kind === 'none' && sent.length > 0))
    statements.push(`the authorization header is not that of the ${description}`);
  if (kind !== 'none' && sent.length === 0)
    statements.push(`no authorization header is there for the ${description}`);
  if ((kind === 'none') !== (fingerprint === undefined))
    statements.push('the fingerprint does not go with the credential');
  else if (fingerprint !== undefined) {
    const known = fingerprints.get(fingerprint);
    // Two invalid keys may be equal; a valid and an invalid one never are.
    if (known !== undefined && known !== kind)
      statements.push(`the ${description} has the fingerprint of another kind of credential`);
    fingerprints.set(fingerprint, kind);
  }
  return statements;
}

/** Attempts without a planned case, and exchanges that should have been evaluated and were not. */
function wrongAttempts(
  { attempts, count }: Evidence,
  cases: ReadonlySet<string>,
  byPrefix: ReadonlyMap<string, SeenExchanges>,
): readonly string[] {
  const statements: string[] = [];
  const recorded = new Set<string>();
  for (const attempt of attempts) {
    const prefix = prefixOf(attempt);
    const name = prefix.slice(0, -1);
    if (!cases.has(`${attempt.case.operation}/${attempt.case.check}`))
      statements.push(`${name}: no such case is planned`);
    if (recorded.has(prefix)) statements.push(`${name}: the attempt is recorded twice`);
    recorded.add(prefix);
    if (attempt.after > count) statements.push(`${name}: was evaluated after the end of the run`);
    const { numbers, aside } = byPrefix.get(prefix) ?? { numbers: new Set(), aside: new Set() };
    const evaluated = new Set(evaluatedNumbers(attempt.judged, count));
    const unseen = [...numbers].filter((number) => !evaluated.has(number));
    const unexplained = unseen.filter((number) => !aside.has(number)).length;
    if (attempt.gaveUp === undefined && unexplained > attempt.unkept)
      statements.push(
        `${name}: ${unexplained - attempt.unkept} of its exchanges were kept from the evaluation`,
      );
    if (attempt.unkept > unseen.length)
      statements.push(`${name}: more answers were counted than are recorded`);
  }
  for (const [prefix, { check }] of byPrefix) {
    if (recorded.has(prefix) || otherSenders.has(check)) continue;
    statements.push(`${prefix.slice(0, -1)}: there are exchanges of an attempt that was never evaluated`);
  }
  return statements;
}

/** Whether an answer is of a kind that is waited out or asked for again, and so decides nothing in its case. */
function mayBeSetAside({ request }: Exchange, meaning: Meaning): boolean {
  if (['connection lost', 'throttled', 'overloaded', 'page under 403'].includes(meaning)) return true;
  return (
    meaning === 'too early' &&
    request.method === 'GET' &&
    Object.values(request.values).some(({ source }) => source === 'captured' || source === 'discovered')
  );
}

/** Numbers that are missing among the exchanges of an attempt, unless the run was kept from sending. */
function gaps(
  { count, attempts, run }: Evidence,
  byPrefix: ReadonlyMap<string, SeenExchanges>,
): readonly string[] {
  if (count >= run.options.maxRequests / 2 || attempts.some(({ gaveUp }) => gaveUp !== undefined)) return [];
  return [...byPrefix].flatMap(([prefix, { numbers }]) => {
    const most = [...numbers].reduce((a, b) => Math.max(a, b), 0);
    if (most === numbers.size) return [];
    return [`${prefix.slice(0, -1)}: ${most} exchanges were numbered, ${numbers.size} are there`];
  });
}
