import { exampleOperation } from '../../harness/checks/example-exchange.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import { type Examples, example } from '../examples-for-tests.ts';

const operation = exampleOperation();
const elsewhere = { operation: 'readOther' };
const error = answered({ code: 'x', message: 'y' }, { status: 404, ...elsewhere });
const [linen, wool] = ['linen', 'wool'].map((slug) => ({ slug, name: `${slug} shirt` }));
const shirts = { slug: 'shirts', title: 'Shirts' };

export const examples: Examples = {
  passes: {
    'one envelope for results and errors': [
      error,
      answered({ code: '', message: '', data: 1 }),
      answered({ code: '', data: 1 }),
    ],
    'entries that are twice in each response': [answered([linen, linen]), answered([linen, linen, wool])],
    'the list of a twin of the operation': [
      answered([linen]),
      answered([linen, wool]),
      answered([linen], elsewhere),
    ],
    'a question in another language': [answered({ text: 'Déjà vu ?' }), answered({ text: 'Seen before?' })],
    'an error body elsewhere': [error, answered({ slug: 'a' })],
  },
  violates: {
    'the members of an error beside its own': [
      error,
      answered({ slug: 'a' }),
      answered({ slug: 'a', code: 'z', message: 'none' }),
    ],
    'an entry twice': [answered([linen, wool]), answered([linen, wool, wool])],
    'the list of another operation': [answered([linen]), answered([shirts]), answered([shirts], elsewhere)],
    'lost letters': [answered({ text: 'Wäsche' }), answered({ text: 'W?sche' })],
  },
  notApplicable: { 'no 200 was seen': [error] },
};

function answered(json: unknown, { status = 200, operation: of = operation.id } = {}): Exchange {
  return example(`${status} none`, { operation: of, json });
}
