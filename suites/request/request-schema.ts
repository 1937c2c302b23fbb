import { notApplicable } from '../../harness/checks/outcomes.ts';
import { parseBody } from '../../harness/evidence/answer.ts';
import type { Evaluation } from '../../harness/model/evaluation.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import type { SuppliedDocument } from '../../harness/model/supplied-document.ts';
import { compileDocument } from '../../harness/openapi/compile-document.ts';
import type { SchemaValidator, SchemaVerdict } from '../../harness/openapi/compile-schema.ts';
import { noDocument } from '../../harness/openapi/evaluate-body.ts';
import { SchemaRules } from '../../harness/openapi/schema-rules.ts';
import type { Operation } from '../../spec/operation.ts';

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

/** The outcome of a check that needs the schema, where there is none. */
export function withoutRequestSchema(document: SuppliedDocument | undefined): Evaluation {
  return notApplicable(
    document === undefined ? noDocument : 'the supplied document shows no fields of the request body',
  );
}

/** Whether the schema allows the body that was sent; undefined where it is no JSON. */
export function verdictOn({ validate }: RequestSchema, { request }: Exchange): SchemaVerdict | undefined {
  const body = parseBody(request.body);
  return body === undefined ? undefined : validate(body);
}
