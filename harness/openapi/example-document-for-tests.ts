import type { Operation } from '../../spec/contract.ts';
import type { DocumentDeviation, Members, SuppliedDocument } from '../model/supplied-document.ts';

/** The schemas of the one operation that an example's document describes. */
export interface ExampleSchemas {
  readonly request?: Members;
  readonly success?: Members;
  readonly error?: Members;
}

export function exampleDocument(
  operation: Operation,
  schemas: ExampleSchemas,
  deviations: readonly DocumentDeviation[] = [],
): SuppliedDocument {
  const bodyOf = (schema: Members | undefined): Members => ({
    description: 'an answer',
    ...(schema === undefined ? {} : { content: { 'application/json': { schema } } }),
  });
  return {
    source: 'openapi.yaml',
    digest: `sha256:${'0'.repeat(64)}`,
    version: '3.1.0',
    defects: [],
    deviations,
    content: {
      openapi: '3.1.0',
      info: { title: 'Example', version: '1' },
      paths: {
        [operation.path]: {
          [operation.method.toLowerCase()]: {
            ...(schemas.request === undefined ? {} : { requestBody: bodyOf(schemas.request) }),
            responses: { '200': bodyOf(schemas.success), default: bodyOf(schemas.error) },
          },
        },
      },
    },
  };
}
