import { evaluateBodyRefusals, probeBodies, type UnusualBody } from '../../harness/checks/body-refusal.ts';
import type { ActiveCheck, Evidence } from '../../harness/checks/check.ts';
import { inconclusive, violatedOr } from '../../harness/checks/outcomes.ts';
import { describeAnswer, parseBody, statusOf } from '../../harness/evidence/answer.ts';
import { isJsonMembers } from '../../harness/fuzzing/json-places.ts';
import { reduce } from '../../harness/fuzzing/reduce.ts';
import { sampleSchema } from '../../harness/fuzzing/schema-arbitrary.ts';
import { smallerJson } from '../../harness/fuzzing/smaller-json.ts';
import type { Violation } from '../../harness/model/evaluation.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import type { Json } from '../../harness/model/target.ts';
import {
  type CompiledDocument,
  compileDocument,
  type SchemaValidator,
  type SchemaVerdict,
} from '../../harness/openapi/compile-document.ts';
import type { Place } from '../../harness/openapi/follow-references.ts';
import { noDocument } from '../../harness/openapi/no-document.ts';
import { schemaViolations } from '../../harness/openapi/schema-violations.ts';
import { jsonBody } from '../../harness/requests/call-spec.ts';
import type { CaseClient } from '../../harness/requests/case-client.ts';
import type { Operation } from '../../spec/contract.ts';
import { FreshBodies } from './fresh-bodies.ts';
import { plainBody } from './unusual-forms.ts';

/** Enough for each single change to a body of a dozen members; a larger one is tried for every kind of change. */
const mostProbes = 48;

/** Requests for making one body smaller. */
const mostReductions = 40;

/** The same for all that are random, so that a finding is the same whichever shows it. */
const madeUpLabel = 'a made-up body';
const violationStatement = 'a body that violates its schema is refused';

const check: ActiveCheck = {
  kind: 'active',
  last: true,
  requirement: 'REQUEST-3',
  title:
    'a body that violates the schema of the supplied document is answered 400, one that satisfies it is not',
  applies: ({ requestSchema }) => requestSchema !== undefined,
  needs: () => ['valid-call'],
  requests: (_operation, fuzzRuns) => mostProbes + 5 + fuzzRuns,
  needsDocument: true,
  probe: async (client: CaseClient, operation) => {
    const compiled = client.document && compileDocument(client.document);
    const validate = compiled?.requestValidator(operation);
    const schema = compiled?.requestSchema(operation);
    if (compiled === undefined || validate === undefined || schema === undefined) return;
    const violate = (body: unknown): readonly UnusualBody[] =>
      // Of what violates the schema already, no single change can be made.
      validate(body).ok
        ? schemaViolations(compiled, schema, body, validate, mostProbes).map((violation) => ({
            label: violation.label,
            body: jsonBody(violation.body as Json),
          }))
        : [];
    const fresh = await violateFreshBodies(client, violate);
    await probeBodies(client, operation, () => fresh);
    const control = client.exchanges.findLast(({ role }) => role === 'control');
    if (control === undefined || statusOf(control) !== 200) return;
    await probeMadeUpBodies(client, operation, control, { compiled, schema, validate });
  },
  evaluate: ({ operation, exchanges, document }: Evidence) => {
    if (document === undefined) return { outcome: 'not-applicable', reason: noDocument };
    const validate = compileDocument(document).requestValidator(operation);
    if (validate === undefined) {
      return {
        outcome: 'not-applicable',
        reason: 'the supplied document shows no fields of the request body',
      };
    }
    const evaluated = (exchange: Exchange): SchemaVerdict | undefined => {
      const body = parseBody(exchange.request.body);
      return body === undefined ? undefined : validate(body);
    };
    const control = exchanges.findLast(({ role }) => role === 'control');
    const known = control && evaluated(control);
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
    const violating = exchanges.filter(
      (exchange) => !['probe', 'reduction'].includes(exchange.role) || evaluated(exchange)?.ok === false,
    );
    const relevant = violating.filter(({ label }) => label !== madeUpLabel);
    if (control !== undefined && !relevant.some(({ role }) => role === 'probe')) {
      return inconclusive('no change was found that makes the known body violate its schema');
    }
    const evaluation = evaluateBodyRefusals(relevant, { statement: violationStatement });
    if (evaluation.outcome === 'violated') return evaluation;
    return violatedOr(letIn(violating), () => evaluation);
  },
};

export default check;

/** Bodies that name what the target may not have are judged by being let in alone: another refusal may be due to that. */
function letIn(exchanges: readonly Exchange[]): readonly Violation[] {
  const [smallest] = exchanges
    .filter((exchange) => exchange.label === madeUpLabel && statusOf(exchange) === 200)
    .sort((a, b) => (a.request.body?.bytes ?? 0) - (b.request.body?.bytes ?? 0));
  if (smallest === undefined) return [];
  const text = smallest.request.body?.text ?? '';
  return [
    {
      statement: violationStatement,
      expected: '400',
      actual: '200',
      detail: text.length > 200 ? `${text.slice(0, 200)}…` : text,
      exchange: smallest,
    },
  ];
}

interface KnownSchema {
  readonly compiled: CompiledDocument;
  readonly schema: Place;
  readonly validate: SchemaValidator;
}

/** Made up from the schema, half of them around what is known to be there, each with one violation; the first let in is made smaller. */
async function probeMadeUpBodies(
  client: CaseClient,
  operation: Operation,
  control: Exchange,
  { compiled, schema, validate }: KnownSchema,
): Promise<void> {
  const random = client.random('made-up bodies');
  const seed = Math.floor(random() * 2 ** 31);
  const madeUp = sampleSchema(compiled.content, schema, validate, { seed, count: client.fuzzRuns });
  const bodies = await FreshBodies.after(client, operation, control);
  let smaller: Json | undefined;
  for (const [at, value] of madeUp.entries()) {
    const isMixed = at % 2 === 0 && isJsonMembers(value) && isJsonMembers(bodies.valid);
    const mixed: Json = isMixed ? { ...value, ...bodies.valid } : value;
    const base = validate(mixed).ok ? mixed : value;
    const violations = schemaViolations(compiled, schema, base, validate, mostProbes);
    const violation = violations[Math.floor(random() * violations.length)];
    if (violation === undefined) continue;
    const body = violation.body as Json;
    const exchange = await bodies.call('probe', madeUpLabel, { value: body, write: plainBody });
    if (statusOf(exchange) === 200) smaller ??= body;
  }
  if (smaller === undefined || client.earlier.length > 0) return;
  await reduce(smaller, {
    smaller: (value) => smallerJson(value, bodies.valid),
    keyOf: (value) => JSON.stringify(value),
    stillFails: async (value) => {
      if (validate(value).ok || !client.hasRoom) return false;
      return statusOf(await bodies.call('reduction', madeUpLabel, { value, write: plainBody })) === 200;
    },
    budget: mostReductions,
  });
}

/** Each violation made from a valid body of its own: a login return that was consumed is refused for that already. */
async function violateFreshBodies(
  client: CaseClient,
  violate: (body: unknown) => readonly UnusualBody[],
): Promise<readonly UnusualBody[]> {
  const planned = violate(await client.validBody());
  const made: UnusualBody[] = [];
  for (const { label } of planned) {
    const relatedExchanges = violate(await client.validBody()).find((other) => other.label === label);
    if (relatedExchanges !== undefined) made.push(relatedExchanges);
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
    statement: `${violationStatement}: ${known.errors.join('; ')}`,
    expected: '400',
    actual: '200',
    exchange: control,
  };
}
