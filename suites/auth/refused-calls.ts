import type { CaseClient } from '../../harness/calls/case-client.ts';
import { steadyControl } from '../../harness/checks/steady-control.ts';
import type { Step } from '../../harness/checks/step.ts';
import { hasStatus, headerOf, isOk } from '../../harness/evidence/answer.ts';
import type { Violation } from '../../harness/model/evaluation.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import { type CallChanges, jsonBody } from '../../harness/requests/call-spec.ts';
import { unlessInconclusive } from '../../harness/requests/inconclusive-error.ts';
import type { Credential } from '../../harness/requests/key-ring.ts';
import { ridersOf } from '../../harness/requests/riders.ts';

/**
 * Sends calls that must be refused, with valid values: beside the valid call or, because accepting one is always wrong,
 * without it.
 */
export async function besideValidCall(
  client: CaseClient,
  { step, ...changes }: CallChanges & { readonly step: Step },
  send: (known: { readonly values: CallChanges; readonly valid: Exchange | undefined }) => Promise<void>,
): Promise<void> {
  const { exchange: valid, missing } = await steadyControl(client, step, changes);
  // A refused call uses nothing up, so each may name the same session or login.
  const taken = await client.forRefusal(() => takeValues(client));
  const tag = valid && headerOf(valid, 'etag');
  await send({ values: { ...taken, ...(tag && { tag }) }, valid });
  if (missing !== undefined) throw missing;
}

/** Valid values for a call that must be refused; placeholders stand for unknown ones. */
export async function takeValues(client: CaseClient): Promise<CallChanges> {
  const { requestSchema, pathParameters } = client.caseOperation;
  const known = await unlessInconclusive(async () => {
    // First, because it drops the values that the control has used up.
    const body = requestSchema === undefined ? {} : { body: jsonBody(await client.validBody()) };
    const parameters: Record<string, string> = {};
    for (const name of pathParameters) parameters[name] = (await client.knownValue(name)).value;
    return { parameters, ...body };
  });
  return { ...known, placeholders: true };
}

/** A query that no earlier request had, so that no cache knows the URL. */
export function ownQuery(client: CaseClient): string {
  return `_=${Math.floor(client.random('query')() * 1e12)}`;
}

/** Makes calls with bad keys at once, as a service may let through what it cannot look up in time; if one is accepted, makes it again alone. */
export async function callAtOnce(
  client: CaseClient,
  keys: ReadonlyArray<readonly [Step, Credential]>,
  alone: Step,
  values: CallChanges,
): Promise<void> {
  const crowd = await Promise.all(
    keys.map(async ([step, credential]) => {
      const exchange = client.wants(step) ? await client.call(step, { ...values, credential }) : undefined;
      return exchange !== undefined && isOk(exchange) ? [{ exchange, credential }] : [];
    }),
  );
  for (const { exchange, credential } of crowd.flat().slice(0, 1))
    await client.call(alone, { ...values, credential, neutral: ridersOf(exchange) });
}

/** What is said of a bad key that was accepted in such a crowd, and refused alone. */
export function companyOf(exchange: Exchange, alone: readonly Exchange[]): Partial<Violation> {
  return isOk(exchange) && alone.some((one) => hasStatus(one, 401))
    ? { company: 'with other calls with bad keys under way', deviation: 'bad keys at once' }
    : {};
}
