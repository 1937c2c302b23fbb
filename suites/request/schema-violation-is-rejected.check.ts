import { jsonBody } from '../../harness/calling/call-spec.ts';
import type { Caller } from '../../harness/calling/caller.ts';
import { judgeBodyRefusals, type OddBody, probeBodies } from '../../harness/checks/body-refusal.ts';
import type { ActiveCheck, Evidence } from '../../harness/checks/check.ts';
import { exampleExchange, exampleOperation } from '../../harness/checks/example-exchange.ts';
import { inconclusive, type Violation, violatedOr } from '../../harness/checks/judgement.ts';
import { jsonKind } from '../../harness/client/record-body.ts';
import { compileDocument, type SchemaVerdict } from '../../harness/document/compile-document.ts';
import { exampleDocument } from '../../harness/document/example-document.ts';
import { noDocument } from '../../harness/document/no-document.ts';
import { schemaViolations } from '../../harness/document/schema-violations.ts';
import { describeAnswer, parseBody, statusOf } from '../../harness/recording/answer.ts';
import type { Exchange } from '../../harness/recording/exchange.ts';
import type { Json } from '../../harness/target/target.ts';

/** Enough for each single change to a body of a dozen members; a larger one is tried for every kind of change. */
const mostProbes = 48;

const create = exampleOperation({
  id: 'createHostedCheckoutSession',
  method: 'POST',
  path: '/api/v1/open/hosted/checkout/sessions',
  requestSchema: 'HostedCheckoutCreateRequest',
});
const document = exampleDocument(create, {
  request: { type: 'object', required: ['a'], properties: { a: { type: 'integer' } } },
});
const valid = sent({ role: 'control', status: 200 }, '{"a":1}');

const check: ActiveCheck = {
  kind: 'active',
  requirement: 'REQUEST-3',
  title:
    'a body that violates the schema of the supplied document is answered 400, one that satisfies it is not',
  applies: ({ requestSchema }) => requestSchema !== undefined,
  needs: () => ['valid-call'],
  requests: () => mostProbes + 2,
  probe: async (caller: Caller, operation) => {
    const compiled = caller.document && compileDocument(caller.document);
    const validate = compiled?.requestValidator(operation);
    const schema = compiled?.requestSchema(operation);
    if (compiled === undefined || validate === undefined || schema === undefined) return;
    const violate = (body: unknown): readonly OddBody[] =>
      // Of what violates the schema already, no single change can be made.
      validate(body).ok
        ? schemaViolations(compiled, schema, body, validate, mostProbes).map((violation) => ({
            label: violation.label,
            body: jsonBody(violation.body as Json),
          }))
        : [];
    const fresh = await violateFreshBodies(caller, violate);
    await probeBodies(caller, operation, () => fresh);
  },
  judge: ({ operation, exchanges, document }: Evidence) => {
    if (document === undefined) return { outcome: 'not-applicable', reason: noDocument };
    const validate = compileDocument(document).requestValidator(operation);
    if (validate === undefined) {
      return {
        outcome: 'not-applicable',
        reason: 'the supplied document shows no fields of the request body',
      };
    }
    const judged = (exchange: Exchange): SchemaVerdict | undefined => {
      const body = parseBody(exchange.request.body);
      return body === undefined ? undefined : validate(body);
    };
    const control = exchanges.findLast(({ role }) => role === 'control');
    const known = control && judged(control);
    if (control !== undefined && known !== undefined) {
      const wrong = misjudgedControl(control, known);
      if (wrong !== undefined) return violatedOr([wrong], () => inconclusive(''));
      if (!known.ok) {
        return inconclusive(
          `the known body violates the supplied document (${known.errors.join('; ')}) and was answered ${describeAnswer(control)}`,
          `bodies: { ${operation.id}: { … a valid ${operation.requestSchema} … } }`,
        );
      }
    }
    // What was sent counts, not what it was meant to be.
    const relevant = exchanges.filter(
      (exchange) => exchange.role !== 'probe' || judged(exchange)?.ok === false,
    );
    if (control !== undefined && !relevant.some(({ role }) => role === 'probe')) {
      return inconclusive('no change was found that makes the known body violate its schema');
    }
    return judgeBodyRefusals(relevant, { statement: 'a body that violates its schema is refused' });
  },
  examples: [
    {
      name: 'refused with 400',
      given: given(valid, sent({ status: 400 }, '{}'), sent({ status: 400 }, '{"a":"1"}')),
      says: 'pass',
    },
    { name: 'let in', given: given(valid, sent({ status: 200 }, '{}')), says: 'violated' },
    {
      name: 'let in though it was built to violate the schema, but does not',
      given: given(valid, sent({ status: 200 }, '{"a":2}')),
      says: 'inconclusive',
    },
    {
      name: '500, and the valid call is still answered',
      given: given(
        valid,
        sent({ status: 500 }, '{"a":{}}'),
        exampleExchange({ role: 'witness', status: 200 }),
      ),
      says: 'violated',
    },
    {
      name: 'the body that satisfies the schema is refused as well',
      given: given(sent({ role: 'control', status: 400 }, '{"a":1}'), sent({ status: 400 }, '{}')),
      says: 'violated',
    },
    {
      name: 'the known body violates the schema and is let in',
      given: given(sent({ role: 'control', status: 200 }, '{"b":1}')),
      says: 'violated',
    },
    {
      name: 'the known body violates the schema and is refused',
      given: given(sent({ role: 'control', status: 400 }, '{"b":1}')),
      says: 'inconclusive',
    },
    { name: 'nothing was sent', given: given(), says: 'inconclusive' },
    { name: 'no document', given: { operation: create, exchanges: [valid] }, says: 'not-applicable' },
    {
      name: 'a document without fields',
      given: { ...given(), ...{ document: exampleDocument(create, { request: {} }) } },
      says: 'not-applicable',
    },
  ],
};

export default check;

/** Each violation made from a valid body of its own: a login return that was consumed is refused for that already. */
async function violateFreshBodies(
  caller: Caller,
  violate: (body: unknown) => readonly OddBody[],
): Promise<readonly OddBody[]> {
  const planned = violate(await caller.validBody());
  const made: OddBody[] = [];
  for (const { label } of planned) {
    const alike = violate(await caller.validBody()).find((other) => other.label === label);
    if (alike !== undefined) made.push(alike);
  }
  return made;
}

function misjudgedControl(control: Exchange, known: SchemaVerdict): Violation | undefined {
  const status = statusOf(control);
  if (known.ok && status === 400) {
    return {
      statement: 'a body that satisfies its schema is not refused',
      expected: 'not 400',
      actual: '400',
      exchange: control,
    };
  }
  if (known.ok || status !== 200) return undefined;
  return {
    statement: `a body that violates its schema is refused: ${known.errors.join('; ')}`,
    expected: '400',
    actual: '200',
    exchange: control,
  };
}

function given(...exchanges: readonly Exchange[]): Evidence {
  return { operation: create, exchanges, document };
}

function sent(parts: Parameters<typeof exampleExchange>[0], text: string): Exchange {
  const exchange = exampleExchange({ label: 'example', ...parts });
  const body = {
    text,
    encoding: 'utf-8',
    bytes: Buffer.byteLength(text),
    truncated: false,
    json: jsonKind(text),
  } as const;
  return { ...exchange, request: { ...exchange.request, body } };
}
