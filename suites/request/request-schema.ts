import type { CaseClient } from '../../harness/calls/case-client.ts';
import { type ActiveCheck, activeCheck, type StepEvidence } from '../../harness/checks/check.ts';
import type { inputSteps } from '../../harness/checks/evaluate-inputs.ts';
import { notApplicable } from '../../harness/checks/outcomes.ts';
import { type InputFactor, type InputSteps, probeInputs } from '../../harness/checks/probe-inputs.ts';
import { parseBody } from '../../harness/evidence/answer.ts';
import type { Evaluation } from '../../harness/model/evaluation.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import type { SuppliedDocument } from '../../harness/model/supplied-document.ts';
import { compileDocument } from '../../harness/openapi/compile-document.ts';
import type { SchemaValidator, SchemaVerdict } from '../../harness/openapi/compile-schema.ts';
import { noDocument } from '../../harness/openapi/evaluate-body.ts';
import { SchemaRules } from '../../harness/openapi/schema-rules.ts';
import type { Operation } from '../../spec/operation.ts';
import type { BodyInput } from './fresh-bodies.ts';

/** The schema that the supplied document gives a request body. */
export interface RequestSchema {
  readonly rules: SchemaRules;
  readonly validate: SchemaValidator;
}

/** The schema of an operation's request body; undefined where no document shows one with fields. */
export function requestSchemaOf(
  document: SuppliedDocument | undefined,
  operation: Operation,
): RequestSchema | undefined {
  const compiled = document && compileDocument(document);
  const validate = compiled?.requestValidator(operation);
  const schema = compiled?.requestSchema(operation);
  return validate && schema && { rules: new SchemaRules([schema]), validate };
}

/** A check of bodies that are made from a valid one by its schema. */
interface SchemaCheck extends Pick<ActiveCheck, 'title'> {
  readonly steps: ReturnType<typeof inputSteps>;
  readonly factor: (
    client: CaseClient,
    valid: Exchange,
    known: RequestSchema,
  ) => Promise<InputFactor<BodyInput>>;
  readonly evaluate: (evidence: StepEvidence<InputSteps>, known: RequestSchema) => Evaluation;
}

/** Builds a check that sends nothing, and does not apply, where no document shows the schema. */
export function schemaCheck({ title, steps, factor, evaluate }: SchemaCheck): ActiveCheck {
  return activeCheck({
    ...{ stage: 'last', requirement: 'REQUEST-3', title, needsDocument: true, steps },
    applies: ({ requestSchema }) => requestSchema !== undefined,
    probe: async (client, steps, operation) => {
      const known = requestSchemaOf(client.document, operation);
      if (known === undefined) return;
      await probeInputs(client, steps, async (valid) =>
        valid === undefined ? [] : [await factor(client, valid, known)],
      );
    },
    evaluate: (evidence) => {
      const { document, operation } = evidence;
      const known = requestSchemaOf(document, operation);
      if (known !== undefined) return evaluate(evidence, known);
      return notApplicable(
        document === undefined ? noDocument : 'the supplied document shows no fields of the request body',
      );
    },
  });
}

/** Whether the schema allows the body that was sent; undefined where it is no JSON. */
export function verdictOn({ validate }: RequestSchema, { request }: Exchange): SchemaVerdict | undefined {
  const body = parseBody(request.body);
  return body === undefined ? undefined : validate(body);
}
