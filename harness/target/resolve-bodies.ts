import type { Operation, ResourceKind } from '../../spec/operation.ts';
import type { Json } from '../model/target.ts';
import { compileDocument } from '../openapi/compile-document.ts';
import { madeUpBody } from '../openapi/made-up-body.ts';
import { suggestedBody, suggestedCapture } from '../openapi/suggest-values.ts';
import { jsonBody } from '../requests/call-spec.ts';
import { CaseClient } from '../requests/case-client.ts';
import { InconclusiveError } from '../requests/inconclusive-error.ts';
import { resourceNamed } from '../requests/likely-identifiers.ts';
import type { RunContext } from '../requests/run-context.ts';
import { type Discovered, suppliedDocument } from './discovered.ts';
import { putInCaptures } from './insert-captures.ts';

/**
 * Tries the bodies that a supplied document gives as examples, or that its schemas make up, where the user gave none, and
 * takes over the links that say where captured values come from. A body that is refused says nothing about the target.
 */
export async function resolveBodies(context: RunContext): Promise<readonly Discovered[]> {
  if (context.document === undefined || context.readOnly) return [];
  const document = compileDocument(context.document);
  for (const { issues } of context.contract.operations) {
    const linked = issues && suggestedCapture(document, context.contract.operations, issues);
    if (issues && linked) context.known.resolveCapture(issues, linked);
  }
  const found: Discovered[] = [];
  let login: unknown;
  for (const operation of context.contract.operations) {
    if (operation.requestSchema === undefined || context.known.body(operation) !== undefined) continue;
    const settled = await resolveBody(context, operation, login);
    if (settled === undefined) continue;
    if (operation.role === 'initiates-login') login = settled.answer;
    found.push({
      operation: operation.id,
      name: 'body',
      value: JSON.stringify(settled.body),
      from: suppliedDocument,
    });
  }
  return found;
}

/** Bodies that a supplied document suggests for an operation, the likeliest first. */
export function bodiesOfDocument(context: RunContext, operation: Operation): readonly Json[] {
  if (context.document === undefined) return [];
  const document = compileDocument(context.document);
  const given = [suggestedBody(document, operation), madeUpBody(document, operation)].filter(
    (body) => body !== undefined,
  );
  // The author of an example may have thought of stores and products that this target does not have.
  const known = new Map(
    (['merchant', 'product'] as const).flatMap((kind) => {
      const value = knownValue(context, kind);
      return value === undefined ? [] : [[kind, value] as const];
    }),
  );
  const all = given.flatMap((body) => [body, withKnownValues(body, known)]);
  return [...new Map(all.map((body) => [JSON.stringify(body), body])).values()];
}

async function resolveBody(
  context: RunContext,
  operation: Operation,
  login: unknown,
): Promise<{ readonly body: Json; readonly answer: unknown } | undefined> {
  const settle = (body: Json, answer: unknown): { readonly body: Json; readonly answer: unknown } => {
    context.known.resolveBody(operation, body);
    return { body, answer };
  };
  for (const suggested of bodiesOfDocument(context, operation)) {
    const initiation = operation.role === 'consumes-login' ? operation.peers?.['initiates-login'] : undefined;
    const issued =
      initiation !== undefined
        ? putInCaptures(suggested, initiation, login, (name) => context.known.capture(name) !== undefined)
        : undefined;
    if (issued !== undefined) {
      const answer = await tryBody(context, operation, issued.now);
      if (answer !== undefined) {
        for (const [name, capture] of Object.entries(issued.captures))
          context.known.resolveCapture(name, capture);
        return settle(issued.body, answer.body);
      }
    }
    const answer = await tryBody(context, operation, suggested);
    if (answer !== undefined) return settle(suggested, answer.body);
  }
  return undefined;
}

async function tryBody(
  context: RunContext,
  operation: Operation,
  body: Json,
): Promise<{ readonly body: unknown } | undefined> {
  const client = new CaseClient(context, 'preflight', operation, context.part);
  try {
    const { response } = await client.call({
      role: 'preflight',
      label: 'tries a body of the supplied document',
      body: jsonBody(body),
    });
    return response?.status === 200 ? { body: client.lastBody } : undefined;
  } catch (error) {
    if (error instanceof InconclusiveError) return undefined;
    throw error;
  } finally {
    await client.close();
  }
}

function knownValue({ contract, known }: RunContext, kind: ResourceKind): string | undefined {
  for (const operation of contract.operations) {
    for (const name of operation.pathParameters) {
      const value = operation.parameterKinds?.[name] === kind && known.value(operation, name)?.value;
      if (typeof value === 'string') return value;
    }
  }
  return undefined;
}

function withKnownValues(body: Json, known: ReadonlyMap<ResourceKind, string>, name = ''): Json {
  if (typeof body === 'string') {
    const kind = resourceNamed(name);
    return (kind && known.get(kind)) ?? body;
  }
  if (typeof body !== 'object' || body === null) return body;
  if (Array.isArray(body)) return body.map((item: Json) => withKnownValues(item, known, name));
  return Object.fromEntries(
    Object.entries(body).map(([member, value]) => [member, withKnownValues(value as Json, known, member)]),
  );
}
