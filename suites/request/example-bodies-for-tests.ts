import { exampleExchange, exampleOperation } from '../../harness/checks/example-exchange.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import type { SuppliedDocument } from '../../harness/model/supplied-document.ts';
import { exampleDocument } from '../../harness/openapi/example-document.ts';
import type { Operation } from '../../spec/operation.ts';
import { type Examples, sentExample } from '../examples-for-tests.ts';

/** An operation that takes a body, for examples. */
export const create: Operation = exampleOperation({
  id: 'createHostedCheckoutSession',
  method: 'POST',
  path: '/api/v1/open/hosted/checkout/sessions',
  requestSchema: 'HostedCheckoutCreateRequest',
});

/** A document that shows what its body is like. */
export const document: SuppliedDocument = exampleDocument(create, {
  request: { type: 'object', required: ['a'], properties: { a: { type: 'integer' } } },
});

/** The valid call with a body that fits the document. */
export const valid: Exchange = sentExample({ step: 'valid', status: 200 }, '{"a":1}');

/** Where nothing shows what a body is like. */
export const withoutSchema: NonNullable<Examples['notApplicable']> = {
  'no document': { exchanges: [valid], document: undefined },
  'a document without fields': { exchanges: [], document: exampleDocument(create, { request: {} }) },
};

/** The valid call after an unexpected answer. */
export function again(company: string, status: number): Exchange {
  return exampleExchange({ step: 'recovery', row: { company }, status });
}
