import { exampleOperation } from '../../harness/checks/example-exchange.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import type { Members, SuppliedDocument } from '../../harness/model/supplied-document.ts';
import { exampleDocument } from '../../harness/openapi/example-document-for-tests.ts';
import { type Examples, example } from '../examples-for-tests.ts';

const operation = exampleOperation({ id: 'a' });
const foreign = [
  error('a', 404, { error: { code: 'x' } }),
  error('b', 404, { code: 'x', message: 'y' }),
  error('c', 401, { code: 'x', message: 'y' }),
];
const lacking = [
  error('a', 404, { code: 'x' }),
  error('b', 404, { code: 'x', message: 'y' }),
  error('c', 404, { code: 'x', message: 'y' }),
];
const withHint = documentWith({ properties: { hint: { type: 'string' } } });

export const examples: Examples = {
  operation,
  passes: {
    'lacks what the same status has elsewhere, and a document that does not require it': {
      exchanges: lacking,
      document: documentWith({ required: ['code'] }),
    },
    'one shape, and a document that requires no member': {
      exchanges: [error('a', 404, { code: 'x', hint: 'y' }), error('b', 400, { code: 'x' })],
      document: withHint,
    },
    'one shape, with optional members': [
      error('a', 404, { code: 'x', message: 'y' }),
      error('b', 400, { code: 'x', message: 'y', details: [] }),
    ],
    'a member that is null here and an object elsewhere': [
      error('a', 403, { code: 'x', cause: null }),
      error('b', 403, { code: 'x', cause: { code: 1 } }),
      error('c', 403, { code: 'x', cause: { code: 1 } }),
    ],
    'an empty map that is written as a list, and filled ones elsewhere': [
      error('a', 403, { code: 'x', meta: { by: 'a' } }),
      error('b', 403, { code: 'x', meta: [] }),
      error('c', 403, { code: 'x', meta: [] }),
    ],
    'one status lacks a member everywhere': [
      error('a', 401, { code: 'x' }),
      error('b', 401, { code: 'x' }),
      error('a', 404, { code: 'x', message: 'y' }),
      error('b', 404, { code: 'x', message: 'y' }),
    ],
  },
  violates: {
    'no member is common to all, though each has one with another': [
      error('a', 401, { type: 'x', message: 'y' }),
      error('b', 404, { code: 'x', message: 'y' }),
      error('c', 404, { code: 'x', title: 'y' }),
      error('c', 403, { code: 'x', title: 'y' }),
    ],
    'nothing in common with the others, and a document that requires no member': {
      exchanges: foreign,
      document: withHint,
    },
    'nothing in common with the others, and a document that requires a member of requests alone': {
      exchanges: foreign,
      document: documentWith({ required: ['hint'], properties: { hint: { writeOnly: true } } }),
    },
    'nothing in common with the others': foreign,
    'lacks what the same status has elsewhere': lacking,
    'another type for a member': [
      error('a', 404, { code: 4 }),
      error('b', 404, { code: 'x' }),
      error('c', 404, { code: 'y' }),
    ],
  },
  inconclusive: {
    'nothing to compare with': [error('a', 404, { code: 'x' })],
    'no error seen': [error('b', 404, { code: 'x' })],
  },
};

function error(of: string, status: number, json: object): Exchange {
  return { ...example(`${status}`, { operation: of, json }), id: `${of}/${status}` };
}

function documentWith(schema: Members): SuppliedDocument {
  const document = exampleDocument(operation, {});
  const components = { schemas: { PublicErrorResponse: schema } };
  return { ...document, content: { ...document.content, components } };
}
