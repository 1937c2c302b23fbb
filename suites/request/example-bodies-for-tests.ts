import { exampleOperation } from '../../harness/checks/example-exchange.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import type { SuppliedDocument } from '../../harness/model/supplied-document.ts';
import { exampleDocument } from '../../harness/openapi/example-document-for-tests.ts';
import type { Operation } from '../../spec/operation.ts';
import { type Examples, example } from '../examples-for-tests.ts';

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
export const valid: Exchange = sent('valid 200', '{"a":1}');

/** Where nothing shows what a body is like. */
export const withoutSchema: NonNullable<Examples['notApplicable']> = {
  'no document': { exchanges: [valid], document: undefined },
  'a document without fields': { exchanges: [], document: exampleDocument(create, { request: {} }) },
};

/** A call with a body; the name of that is its row. */
export function sent(words: string, text: string, name?: string): Exchange {
  return example(words, { sent: text, ...(name !== undefined && { row: { body: name } }) });
}

/** A call whose body matters by its name alone. */
export function named(name: string, words: string): Exchange {
  return example(`value ${words}`, { row: { body: name } });
}

/** The valid call after an unexpected answer. */
export function again(company: string, status: number): Exchange {
  return example(`recovery ${status}`, { row: { company } });
}
