import { exampleOperation } from '../../harness/checks/example-exchange.ts';
import { startOf } from '../../harness/evidence/answer.ts';
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
    'a list that is empty at first': [at(0, answered({ items: [] })), at(1, answered({ items: [linen] }))],
    'a question in another language': [answered({ text: 'Déjà vu ?' }), answered({ text: 'Seen before?' })],
    'a list that has grown': [
      at(0, answered({ items: [linen] })),
      at(1, answered({ items: [linen] })),
      at(2, answered({ items: [linen, wool] })),
    ],
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
    'an empty list between full ones': between({ items: [linen] }, { items: [] }),
    'half a list between whole ones': between({ items: [linen, wool] }, { items: [wool] }),
    'a failure between results': between({ slug: 'a' }, { success: false, error: 'timeout' }),
    'lost letters': [answered({ text: 'Wäsche' }), answered({ text: 'W?sche' })],
  },
  notApplicable: { 'no 200 was seen': [error] },
};

/** An answer between two usual ones. */
function between(usual: unknown, other: unknown): readonly Exchange[] {
  return [usual, other, usual].map((json, second) => at(second, answered(json)));
}

/** An exchange so many seconds after others. */
function at(second: number, exchange: Exchange): Exchange {
  return { ...exchange, startedAt: new Date(startOf(exchange) + 1_000 * second).toISOString() };
}

function answered(json: unknown, { status = 200, operation: of = operation.id } = {}): Exchange {
  return example(`${status} none`, { operation: of, json });
}
