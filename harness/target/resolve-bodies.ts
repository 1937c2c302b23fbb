import type { Operation } from '../../spec/contract.ts';
import { jsonBody } from '../requests/call-spec.ts';
import { Caller } from '../requests/case-client.ts';
import { type ResourceKind, resourceNamed } from '../requests/likely-identifiers.ts';
import type { Workbench } from '../requests/run-context.ts';
import { CannotJudge } from '../requests/inconclusive-error.ts';
import { compileDocument } from '../openapi/compile-document.ts';
import { madeUpBody } from '../openapi/made-up-body.ts';
import { suggestedBody, suggestedCapture } from '../openapi/suggest-values.ts';
import type { Json } from '../model/target.ts';
import { type Discovered, suppliedDocument } from './discovered.ts';
import { putInCaptures } from './insert-captures.ts';

/**
 * Tries the bodies that a supplied document gives as examples, or that its schemas make up, where the user gave none, and
 * takes over the links that say where captured values come from. A body that is refused says nothing about the target.
 */
export async function settleBodies(bench: Workbench): Promise<readonly Discovered[]> {
  if (bench.document === undefined || bench.readOnly) return [];
  const document = compileDocument(bench.document);
  const linked = suggestedCapture(document, bench.contract.operations, 'sessionId');
  if (linked !== undefined) bench.known.settleCapture('sessionId', linked);
  const found: Discovered[] = [];
  let login: unknown;
  for (const operation of bench.contract.operations) {
    if (operation.requestSchema === undefined || bench.known.body(operation) !== undefined) continue;
    const settled = await settleBody(bench, operation, login);
    if (settled === undefined) continue;
    if (operation.id === 'initiateHostedLogin') login = settled.answer;
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
export function bodiesOfDocument(bench: Workbench, operation: Operation): readonly Json[] {
  if (bench.document === undefined) return [];
  const document = compileDocument(bench.document);
  const given = [suggestedBody(document, operation), madeUpBody(document, operation)].filter(
    (body) => body !== undefined,
  );
  // The author of an example may have thought of stores and products that this target does not have.
  const known = new Map(
    (['merchant', 'product'] as const).flatMap((kind) => {
      const value = knownValue(bench, kind);
      return value === undefined ? [] : [[kind, value] as const];
    }),
  );
  const all = given.flatMap((body) => [body, withKnownValues(body, known)]);
  return [...new Map(all.map((body) => [JSON.stringify(body), body])).values()];
}

async function settleBody(
  bench: Workbench,
  operation: Operation,
  login: unknown,
): Promise<{ readonly body: Json; readonly answer: unknown } | undefined> {
  const settle = (body: Json, answer: unknown): { readonly body: Json; readonly answer: unknown } => {
    bench.known.settleBody(operation, body);
    return { body, answer };
  };
  for (const suggested of bodiesOfDocument(bench, operation)) {
    const issued =
      operation.id === 'consumeHostedLoginReturn'
        ? putInCaptures(suggested, login, (name) => bench.known.capture(name) !== undefined)
        : undefined;
    if (issued !== undefined) {
      const answer = await tryBody(bench, operation, issued.now);
      if (answer !== undefined) {
        for (const [name, capture] of Object.entries(issued.captures))
          bench.known.settleCapture(name, capture);
        return settle(issued.body, answer.body);
      }
    }
    const answer = await tryBody(bench, operation, suggested);
    if (answer !== undefined) return settle(suggested, answer.body);
  }
  return undefined;
}

async function tryBody(
  bench: Workbench,
  operation: Operation,
  body: Json,
): Promise<{ readonly body: unknown } | undefined> {
  const caller = new Caller(bench, 'preflight', operation, bench.part);
  try {
    const { response } = await caller.call({
      role: 'preflight',
      label: 'tries a body of the supplied document',
      body: jsonBody(body),
    });
    return response?.status === 200 ? { body: caller.lastBody } : undefined;
  } catch (error) {
    if (error instanceof CannotJudge) return undefined;
    throw error;
  } finally {
    await caller.close();
  }
}

function knownValue({ contract, known }: Workbench, kind: ResourceKind): string | undefined {
  const id = kind === 'product' ? 'getPublicProduct' : 'getPublicMerchantProfile';
  const operation = contract.operations.find((one) => one.id === id);
  return operation && known.value(operation, 'slug')?.value;
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
