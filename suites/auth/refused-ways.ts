import { baseUrlParts } from '../../harness/base-url-parts.ts';
import type { CaseClient } from '../../harness/calls/case-client.ts';
import type { ExchangesByStep } from '../../harness/checks/active-check.ts';
import { membersOf } from '../../harness/checks/error-shape.ts';
import { inconclusive, pass, violatedOr } from '../../harness/checks/outcomes.ts';
import { steadyControl } from '../../harness/checks/steady-control.ts';
import { control, namedSteps, probe, type Step, witness } from '../../harness/checks/step.ts';
import { bodyOf } from '../../harness/checks/vary-body.ts';
import { describeAnswer, isWrittenOtherwise, statusOf } from '../../harness/evidence/answer.ts';
import { sentValues } from '../../harness/evidence/sent-values.ts';
import type { Evaluation } from '../../harness/model/evaluation.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import type { CallChanges } from '../../harness/requests/call-spec.ts';
import type { Credential } from '../../harness/requests/key-ring.ts';
import type { Operation } from '../../spec/operation.ts';
import { takeValues, valuesToRefuse } from './refused-call.ts';
import { asBrowser, together, type Ways, waysApart } from './ways-around.ts';

/** The steps of a check that sends ways around a refusal. */
export type WaySteps = Readonly<
  Record<'valid' | 'together' | 'single' | 'bare' | 'keyed' | 'replayed', Step>
>;

/** Steps whose labels say with which key the calls go out, such as `without a key`. */
export function waySteps(key: string): WaySteps {
  return namedSteps({
    valid: control('valid call'),
    together: probe(`${key}, but with what else may count as leave`, {
      times: (operation) => 1 + waysApart(operation).length,
    }),
    single: probe(`${key}, but with one such thing`, { followUp: true }),
    bare: witness(`${key}, and nothing else`, { followUp: true }),
    keyed: witness('valid call with an Idempotency-Key', { at: takesBody }),
    replayed: probe(`${key}, but with the Idempotency-Key of a valid call`, { at: takesBody }),
  });
}

function takesBody({ requestSchema }: Operation): boolean {
  return requestSchema !== undefined;
}

/** Sends all ways with a call that must be refused; where that is accepted, finds the fewest that lead around the refusal. */
export async function probeWays(
  client: CaseClient,
  operation: Operation,
  steps: WaySteps,
  {
    credential,
    status,
    waysFor,
  }: {
    readonly credential: Credential;
    readonly status: number;
    readonly waysFor: (valid: Exchange | undefined) => readonly Ways[];
  },
): Promise<void> {
  const { exchange: valid, missing } = await steadyControl(client, operation, steps.valid);
  const values = await valuesToRefuse(client, operation);
  const lists = waysFor(valid).filter((ways) => ways.length > 0);
  const send = async (ways: Ways, rest: CallChanges = {}): Promise<number | undefined> => {
    const changes = asBrowser(together(ways, { ...values, route: operation.path }));
    return statusOf(await client.call(steps.together, { ...values, credential, ...changes, ...rest }));
  };
  const find = async (ways: Ways): Promise<void> => {
    const bare = await client.call(steps.bare, { credential, placeholders: true });
    if (statusOf(bare) === 200) return;
    await client.fewest(ways, async (some) => {
      const label = some.map(({ says }) => says).join(' and ');
      const fresh = await takeValues(client, operation);
      const way = together(some, { ...fresh, route: operation.path });
      return statusOf(await client.call(steps.single, { ...fresh, credential, label, ...way })) === 200;
    });
  };
  const everything = lists.flat();
  const answer = await send(everything);
  if (answer === 200) await find(everything);
  // One way may be refused in itself, which says nothing of the others.
  else if (answer !== status) for (const ways of lists) if ((await send(ways)) === 200) await find(ways);
  const { basePath } = baseUrlParts(client.baseUrl);
  const publicRead = client.operations.find(
    ({ auth, pathParameters }) => auth === 'none' && pathParameters.length === 0,
  );
  // A path that leads nowhere does so at once.
  for (const ways of waysApart(operation, basePath + (publicRead?.path ?? '')))
    if ((await send(ways, { propagationDelayMs: 0 })) === 200) await find(ways);
  if (takesBody(operation) && valid !== undefined && statusOf(valid) === 200)
    await replay(client, steps, credential);
  if (missing !== undefined) throw missing;
}

/** Repeats a valid call by its Idempotency-Key: an answer that is kept for it is for whoever may make the call. */
async function replay(client: CaseClient, steps: WaySteps, credential: Credential): Promise<void> {
  // A service may remember the keys of earlier runs.
  const headers = { 'idempotency-key': String(await client.fill('{unique}')) };
  const keyed = await client.call(steps.keyed, { headers, neutral: [] });
  const body = bodyOf(keyed);
  if (statusOf(keyed) !== 200 || body === undefined) return;
  await client.call(steps.replayed, {
    headers,
    neutral: [],
    credential,
    body,
    parameters: sentValues(keyed),
  });
}

/** Ways that one case reports at most. */
const mostReported = 3;

/** Evaluates the calls of `probeWays`; `refused` is the status of a bare call, and `headline` precedes the way. */
export function evaluateWays(
  { valid, together: sent, single, bare, replayed }: ExchangesByStep<WaySteps>,
  { refused, headline }: { readonly refused: number; readonly headline: string },
): Evaluation {
  const last = valid.at(-1);
  if (last === undefined || sent.length === 0) return inconclusive('no call was sent');
  if (statusOf(last) !== 200) return inconclusive(`the valid call was answered ${describeAnswer(last)}`);
  const isAccepted = (exchange: Exchange): boolean =>
    statusOf(exchange) === 200 && (!isWrittenOtherwise(exchange) || isAlike(exchange, last));
  const accepted = sent.filter(isAccepted);
  if (accepted.length > 0 && bare.some((exchange) => statusOf(exchange) === 200))
    return inconclusive('the bare call was answered 200 as well; another check reports that');
  const found = single.filter(isAccepted);
  const fewest = found.filter((one) => !found.some((other) => other !== one && isWithin(other, one)));
  const violations = (fewest.length > 0 ? fewest : accepted).map((exchange) => ({
    statement: `${headline}: ${exchange.label}`,
    expected: String(refused),
    actual: '200',
    exchange,
  }));
  const kept = replayed.filter((exchange) => statusOf(exchange) === 200);
  violations.push(
    ...kept.map((exchange) => ({
      statement: `${headline}: the Idempotency-Key of a valid call`,
      expected: String(refused),
      actual: '200',
      fix: 'Look at the key of the client before an answer is given again, and keep answers by the Idempotency-Key and that key.',
      exchange,
    })),
  );
  const due = sent.filter((exchange) => statusOf(exchange) === refused).length;
  const others = [...new Set(sent.map(describeAnswer))].join(' and ');
  return violatedOr(violations.slice(0, mostReported), () =>
    due > 0
      ? pass(`no way around the ${refused}, in ${due} calls`)
      : inconclusive(`no call was answered ${refused} for its key, but ${others} for what went with it`),
  );
}

/** Whether a 200 is one of the operation, by its members, and not of what a proxy or a router found in its place. */
function isAlike(exchange: Exchange, valid: Exchange): boolean {
  const [names, usual] = [exchange, valid].map(({ response }) =>
    response === undefined ? [] : [...membersOf(response.body).keys()].filter((path) => !path.includes('.')),
  );
  return names?.join() === usual?.join();
}

/** Whether the ways of one call are among those of another. */
function isWithin(one: Exchange, other: Exchange): boolean {
  const [ways, others] = [one, other].map(({ row }) => [row?.['way'] ?? []].flat());
  return (
    ways !== undefined &&
    others !== undefined &&
    ways.length < others.length &&
    ways.every((way) => others.includes(way))
  );
}
