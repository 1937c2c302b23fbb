import type { CaseClient } from '../../harness/calls/case-client.ts';
import type { InputFactor } from '../../harness/checks/probe-inputs.ts';
import { refusalViolations } from '../../harness/checks/refusal.ts';
import { isOk, requestSize } from '../../harness/evidence/answer.ts';
import { Draw } from '../../harness/fuzzing/draw.ts';
import { smallerJson } from '../../harness/fuzzing/smaller-json.ts';
import type { Violation } from '../../harness/model/evaluation.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import type { Json } from '../../harness/model/target.ts';
import { schemaViolations, validVariations } from '../../harness/openapi/changed-bodies.ts';
import { isExcludedBody } from './body-classes.ts';
import { type BodyInput, freshBodies, otherBody } from './fresh-bodies.ts';
import { isRefused } from './refused-bodies.ts';
import type { RequestSchema } from './request-schema.ts';

/** Enough for each single change to a body of a dozen members; a larger one gets every kind of change. */
export const mostViolations = 48;

const subject = 'A body that violates its schema';

/** All made-up bodies share a label: findings are the same for every seed. */
const madeUp = { id: 'made-up', label: 'a made-up body' };

/** Bodies that violate a schema: the valid one with one change, and its valid variations with one violation. */
export async function violatingBodies(
  client: CaseClient,
  control: Exchange,
  { rules, validate }: RequestSchema,
): Promise<InputFactor<BodyInput>> {
  const bodies = await freshBodies(client, control);
  const { valid } = bodies;
  const isIncluded = ({ value }: BodyInput): boolean => !isExcludedBody(client, value, valid);
  const violationsOf = (body: Json): ReturnType<typeof schemaViolations> =>
    schemaViolations(rules, body, validate, mostViolations);
  // No single change can be made to what violates the schema already.
  const changed = validate(valid).ok ? violationsOf(valid) : [];
  const corpus = changed.map(({ id, value }) => ({ ...otherBody(value), id, label: id })).filter(isIncluded);
  return bodies.factor(corpus, {
    corpus,
    *random() {
      const draw = new Draw(client.random('made-up bodies'));
      const variations = validVariations(rules, valid, validate);
      const valids = [valid, ...variations.map(({ value }) => value)].filter((one) => validate(one).ok);
      for (let left = valids.length === 0 ? 0 : client.fuzzRuns; left > 0; left -= 1) {
        const violations = violationsOf(draw.of(valids));
        if (violations.length === 0) continue;
        const body = { ...otherBody(draw.of(violations).value), ...madeUp };
        if (isIncluded(body)) yield body;
      }
    },
    isAllowed: mayAnswerViolation,
    isCertain: isOk,
    smaller: [
      function* ({ id, value }) {
        if (id !== madeUp.id) return;
        for (const smaller of smallerJson(value, valid)) {
          const body = { ...otherBody(smaller), ...madeUp };
          if (!validate(smaller).ok && isIncluded(body)) yield body;
        }
      },
    ],
  });
}

/** Whether a violating body may get this response: any refusal, where it names what the target may not have. */
export function mayAnswerViolation(exchange: Exchange): boolean {
  return exchange.row?.['body'] === madeUp.id ? !isOk(exchange) : isRefused(exchange);
}

/** The changes that were not refused, or the smallest made-up body that was accepted. */
export function schemaRefusalViolations(wrong: readonly Exchange[]): readonly Violation[] {
  const changed = wrong.filter(({ row }) => row?.['body'] !== madeUp.id);
  if (changed.length > 0) return refusalViolations(changed, { status: 400, subject: () => subject });
  const [exchange] = wrong.toSorted((a, b) => requestSize(a) - requestSize(b));
  if (exchange === undefined) return [];
  const text = exchange.request.body?.text ?? '';
  const detail = text.length > 200 ? `${text.slice(0, 200)}…` : text;
  return [{ statement: `${subject} was accepted`, expected: '400', actual: '200', detail, exchange }];
}
