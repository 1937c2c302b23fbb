import type { Contract, Operation } from '../../spec/contract.ts';
import { baseUrlParts } from '../base-url-parts.ts';
import { type EvidenceLog, evaluatedNumbers, prefixOf } from '../evidence/evidence-format.ts';
import { jsonKind } from '../http/record-body.ts';
import type { Exchange, RecordedBody } from '../model/exchange.ts';
import { mayBeThrottling } from '../pacing/overload-signs.ts';
import type { Plan } from './plan.ts';

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
export function inconsistencies(
  log: EvidenceLog,
  contract: Contract,
  plan: Plan,
  span: Span,
): readonly string[] {
  const { run, exchanges } = log;
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
  const ids = new Set<string>();

  for (const exchange of exchanges) {
    const { id, request } = exchange;
    const say = (kind: string, statement: string): void => object(kind, `${id}: ${statement}`);
    if (ids.has(id)) say('id', 'the id stands twice');
    ids.add(id);
    const prefix = prefixOf(exchange);
    if (!id.startsWith(prefix) || !/^[1-9]\d{0,8}$/.test(id.slice(prefix.length)))
      say('id', 'the id is not that of its case and attempt');
    const operation = operations.get(exchange.operation);
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
    for (const statement of wrongHeaders(exchange, log)) say('header', statement);
    for (const statement of wrongCredential(exchange, log, fingerprints)) say('credential', statement);
    for (const [what, body] of [
      ['request', request.body],
      ['response', exchange.response?.body],
    ] as const) {
      if (body !== undefined && !isKind(body, exchange.failure === undefined || what === 'request'))
        say('body', `the body of the ${what} is not what it is said to be`);
    }
    if (isNoControl(exchange, operation, log))
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
  for (const statement of wrongAttempts(log, cases)) object('attempt', statement);
  for (const statement of gaps(log)) object('gap', statement);
  return [...found.values()].flatMap((statements) =>
    statements.length <= mostSimilar
      ? statements
      : [...statements.slice(0, mostSimilar), `and ${statements.length - mostSimilar} more of this kind`],
  );
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
  { run }: EvidenceLog,
): boolean {
  if (role !== 'control' && role !== 'setup') return false;
  const { kind } = request.credential;
  return kind === 'invalid' || (kind === 'none' && operation?.auth === 'api-key' && run.target.keys.scoped);
}

/** Whether method and path are those of the operation; values may be anything, even what ends the path early. */
function isRoutedTo(operation: Operation, request: Exchange['request'], basePath: string): boolean {
  if (request.method !== operation.method) return false;
  const names = Object.keys(request.values);
  if ([...operation.pathParameters].sort().join() !== names.sort().join()) return false;
  const literal = (basePath + operation.path).split(/\{\w+\}/);
  let at = 0;
  return literal.every((part, index) => {
    const place = index === 0 ? (request.path.startsWith(part) ? 0 : -1) : request.path.indexOf(part, at);
    at = place + part.length;
    return place >= 0 && (index > 0 || literal.length > 1 || request.path.split('?', 1)[0] === part);
  });
}

function wrongHeaders({ id, role, request }: Exchange, { run }: EvidenceLog): readonly string[] {
  // Headers of the user's own may follow.
  const headerOf = (wanted: string): string => request.headers.find(([name]) => name === wanted)?.[1] ?? '';
  const statements: string[] = [];
  if (!(run.shards ?? [run.id]).some((one) => headerOf('x-request-id') === `${one}/${id}`))
    statements.push(`the request id is not that of the run ${run.id}`);
  // A probe may act as another client, or as none that says its name.
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
  { run }: EvidenceLog,
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

function isKind(body: RecordedBody, whole: boolean): boolean {
  if (body.encoding === 'base64') return body.json === 'malformed';
  if (body.truncated) return whole || body.json === 'malformed';
  return jsonKind(body.text) === body.json;
}

/** Attempts without a planned case, and exchanges that should have been evaluated and were not. */
function wrongAttempts({ attempts, exchanges }: EvidenceLog, cases: ReadonlySet<string>): readonly string[] {
  const statements: string[] = [];
  const byPrefix = new Map<string, Exchange[]>();
  for (const exchange of exchanges) {
    const prefix = prefixOf(exchange);
    const same = byPrefix.get(prefix);
    if (same === undefined) byPrefix.set(prefix, [exchange]);
    else same.push(exchange);
  }
  const recorded = new Set<string>();
  for (const attempt of attempts) {
    const prefix = prefixOf(attempt);
    const name = prefix.slice(0, -1);
    if (!cases.has(`${attempt.case.operation}/${attempt.case.check}`))
      statements.push(`${name}: no such case is planned`);
    if (recorded.has(prefix)) statements.push(`${name}: the attempt is recorded twice`);
    recorded.add(prefix);
    if (attempt.after > exchanges.length) statements.push(`${name}: was evaluated after the end of the run`);
    const evaluated = new Set(
      evaluatedNumbers(attempt.judged, exchanges.length).map((number) => `${prefix}${number}`),
    );
    const unseen = (byPrefix.get(prefix) ?? []).filter(({ id }) => !evaluated.has(id));
    const unexplained = unseen.filter((exchange) => !mayBeSetAside(exchange)).length;
    if (attempt.gaveUp === undefined && unexplained > attempt.unkept)
      statements.push(
        `${name}: ${unexplained - attempt.unkept} of its exchanges were kept from the evaluation`,
      );
    if (attempt.unkept > unseen.length)
      statements.push(`${name}: more answers were counted than are recorded`);
  }
  for (const [prefix, [first]] of byPrefix) {
    if (first === undefined || recorded.has(prefix) || otherSenders.has(first.case.check)) continue;
    statements.push(`${prefix.slice(0, -1)}: there are exchanges of an attempt that was never evaluated`);
  }
  return statements;
}

/** Whether an answer is of a kind that is waited out or asked for again, and so decides nothing in its case. */
function mayBeSetAside(exchange: Exchange): boolean {
  const { request, response, failure } = exchange;
  if (failure !== undefined) return failure.kind === 'reset' && response === undefined;
  const status = response?.status ?? 0;
  if (status === 429 || mayBeThrottling(exchange)) return true;
  return (
    status === 404 &&
    request.method === 'GET' &&
    Object.values(request.values).some(({ source }) => source === 'captured' || source === 'discovered')
  );
}

/** Numbers that are missing among the exchanges of an attempt, unless the run was kept from sending. */
function gaps({ exchanges, attempts, run }: EvidenceLog): readonly string[] {
  const isHeldBack =
    exchanges.length >= run.options.maxRequests / 2 ||
    exchanges.some(({ response }) => response?.status === 429) ||
    attempts.some(({ gaveUp }) => gaveUp !== undefined);
  if (isHeldBack) return [];
  const numbers = new Map<string, { most: number; count: number }>();
  for (const exchange of exchanges) {
    const prefix = prefixOf(exchange);
    const number = Number(exchange.id.slice(prefix.length));
    const known = numbers.get(prefix) ?? { most: 0, count: 0 };
    numbers.set(prefix, { most: Math.max(known.most, number), count: known.count + 1 });
  }
  return [...numbers]
    .filter(([, { most, count }]) => most !== count)
    .map(
      ([prefix, { most, count }]) =>
        `${prefix.slice(0, -1)}: ${most} exchanges were numbered, ${count} are there`,
    );
}
