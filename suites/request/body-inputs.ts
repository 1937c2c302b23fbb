import { sampleMutations } from '../../harness/fuzzing/mutated-json.ts';
import { sampleSchema } from '../../harness/fuzzing/schema-arbitrary.ts';
import type { Json } from '../../harness/model/target.ts';
import type { CaseClient } from '../../harness/requests/case-client.ts';
import type { Operation } from '../../spec/operation.ts';
import { requestSchemaOf } from './request-schema.ts';
import { combinedForms, type UnusualForm, unusualForms } from './unusual-forms.ts';

/** Forms of one body, of which each member adds a few. */
const mostForms = 160;

/** The unusual forms of a valid body that this run sends. */
export function formsToSend(client: CaseClient, valid: Json): readonly UnusualForm[] {
  const wanted = unusualForms(valid).filter((form) => !client.excludes(form.class, 'body'));
  return [...combinedForms(valid, wanted), ...client.chosen(wanted)].slice(0, mostForms);
}

/** Mutations of the valid body, and as many bodies made up from its schema where a supplied document shows one. */
export function randomBodies(client: CaseClient, operation: Operation, valid: Json): readonly Json[] {
  const seed = Math.floor(client.random('bodies')() * 2 ** 31);
  const count = client.fuzzRuns;
  const known = requestSchemaOf(client.document, operation);
  const madeUp = known
    ? sampleSchema(known.compiled.content, known.schema, known.validate, { seed, count })
    : [];
  return [...sampleMutations(valid, seed, count), ...madeUp];
}
