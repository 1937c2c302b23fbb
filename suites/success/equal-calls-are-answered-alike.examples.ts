import { exampleExchange, exampleOperation } from '../../harness/checks/example-exchange.ts';
import type { CredentialKind, Exchange } from '../../harness/model/exchange.ts';
import type { Examples } from '../examples-for-tests.ts';

const operation = exampleOperation();
const error = answered({ code: 'x', message: 'y' }, { status: 404, operation: 'readOther' });
const [linen, wool] = ['linen', 'wool'].map((slug) => ({ slug, name: `${slug} shirt` }));

const shirts = { slug: 'shirts', title: 'Shirts' };

/** Examples of success/equal-calls-are-answered-alike. */
export const examples: Examples = {
  passes: [
    {
      name: 'one envelope for results and errors',
      given: {
        operation,
        exchanges: [error, answered({ code: '', message: '', data: 1 }), answered({ code: '', data: 1 })],
      },
    },
    {
      name: 'entries that are twice in each response',
      given: { operation, exchanges: [answered([linen, linen]), answered([linen, linen, wool])] },
    },
    {
      name: 'the list of a twin of the operation',
      given: {
        operation,
        exchanges: [
          answered([linen]),
          answered([linen, wool]),
          answered([linen], { operation: 'readOther' }),
        ],
      },
    },
    {
      name: 'a question in another language',
      given: { operation, exchanges: [answered({ text: 'Déjà vu ?' }), answered({ text: 'Seen before?' })] },
    },
    { name: 'an error body elsewhere', given: { operation, exchanges: [error, answered({ slug: 'a' })] } },
  ],
  violates: [
    {
      name: 'the members of an error beside its own',
      given: {
        operation,
        exchanges: [error, answered({ slug: 'a' }), answered({ slug: 'a', code: 'z', message: 'none' })],
      },
    },
    {
      name: 'an entry twice',
      given: { operation, exchanges: [answered([linen, wool]), answered([linen, wool, wool])] },
    },
    {
      name: 'the list of another operation',
      given: {
        operation,
        exchanges: [answered([linen]), answered([shirts]), answered([shirts], { operation: 'readOther' })],
      },
    },
    {
      name: 'lost letters',
      given: { operation, exchanges: [answered({ text: 'Wäsche' }), answered({ text: 'W?sche' })] },
    },
  ],
  notApplicable: [{ name: 'no 200 was seen', given: { operation, exchanges: [error] } }],
};

function answered(
  body: unknown,
  { status = 200, operation: id = operation.id, credential = 'none' as CredentialKind } = {},
): Exchange {
  const exchange = exampleExchange({ operation: id, status, body: JSON.stringify(body) });
  const { request } = exchange;
  return { ...exchange, request: { ...request, credential: { ...request.credential, kind: credential } } };
}
