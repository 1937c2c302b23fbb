import { exampleOperation } from '../../harness/checks/example-exchange.ts';
import type { Exchange, ValueSource } from '../../harness/model/exchange.ts';
import { type Examples, example } from '../examples-for-tests.ts';

const sentBy = 'resource/any-path-value-is-answered';
const product = exampleOperation({ id: 'getPublicProduct', auth: 'none', pathParameters: ['slug'] });
const cancel = exampleOperation({ id: 'cancelSession', method: 'POST', pathParameters: ['sessionId'] });

const shirt = { slug: 'linen-shirt', name: 'Linen shirt' };
const nameless = { name: 'Linen shirt', price: '12.00' };
const theme = { theme: 'plain', font: 'serif' };
const known = ofTarget(shirt);
const unknown = answered('unknown 404', 'kwkas-jtjkz');
const uuid = '4c9d2a51-0b7e-4f66-9a3d-2f5b8c1e7d90';

export const examples: Examples = {
  operation: product,
  passes: {
    'a product has the name of a store, here and elsewhere': [
      known,
      unknown,
      otherKind(product.id, 200),
      otherKind('getPublicStore', 200),
    ],
    'a store that is named like a product has none to list': [
      ofTarget({ items: [{ store: 'linen-shirt' }] }),
      unknown,
      otherKind(product.id, 200, { items: [] }),
      otherKind('getPublicStore', 200),
    ],
    'the number 0 is a slug': [known, unknown, zero('0')],
    'the number 0 finds a product that has it beside its slug': [known, unknown, zero('wool-scarf', 0)],
    'a near miss is not found': [known, unknown, answered('404', 'linen-shir')],
    'a near miss names another product': [
      known,
      unknown,
      answered('200', 'linen-shirt-2', { ...shirt, slug: 'linen-shirt-2' }),
    ],
    'the known product in another letter case': [known, unknown, answered('200', 'LINEN-SHIRT%20', shirt)],
    'an unrelated value gets the same default': [
      ofTarget(theme),
      answered('unknown 200', 'kwkas-jtjkz', theme),
      answered('200', 'linen-shir', theme),
    ],
  },
  violates: {
    'a value that was encoded twice': [known, unknown, answered('200', '%256cinen-shirt', shirt)],
    'the list of a category in place of a product': [
      known,
      unknown,
      otherKind(product.id, 200, { items: [] }),
    ],
    'the prototype of an object is found, and no unknown slug': [
      known,
      unknown,
      { ...answered('200', '__proto__', {}), row: { slug: 'proto' } },
    ],
    'the number 0 finds another product': [known, unknown, zero('wool-scarf')],
    'a product is a store without categories, and no store elsewhere': [
      known,
      unknown,
      otherKind(product.id, 200),
      otherKind('getPublicStore', 404),
    ],
    'a cut slug finds the product': [known, unknown, answered('200', 'linen-shir', shirt)],
    'an extended slug finds the product, beside a near miss that finds none': [
      known,
      answered('nearMiss 404', 'linen-shirx'),
      answered('200', 'linen-shirt%00x', shirt),
    ],
    'an extended slug finds the product, which shows no slug': [
      ofTarget(nameless),
      unknown,
      answered('200', 'linen-shirt,v1', nameless),
    ],
    'a cut id cancels a session': {
      operation: cancel,
      exchanges: [
        session('200', uuid, uuid, 'captured'),
        session('unknown 404', '99999999-0b7e-4f66-9a3d-2f5b8c1e7d90', null),
        session('200', '7e15b0c2-1111-4f66-9a3d-2f5b8c1e7d9', '7e15b0c2-1111-4f66-9a3d-2f5b8c1e7d90'),
      ],
    },
  },
  inconclusive: {
    'no wrong value': [known],
    'the known value is not found either': [ofTarget({}, 404), unknown],
  },
  notApplicable: {
    'an empty list': [ofTarget({ items: [] }), unknown, answered('200', 'linen-shir', { items: [] })],
  },
};

function zero(slug: string, id?: number): Exchange {
  return { ...answered('200', '0', { slug, id }), row: { slug: 'zero' } };
}

function ofTarget(json: object, status = 200): Exchange {
  return answered(String(status), 'linen-shirt', json, 'target-file');
}

function answered(
  words: string,
  value: string,
  json: object = { code: 'none' },
  source: ValueSource = 'generated',
): Exchange {
  return example(words, { sentBy, operation: product.id, json, values: { slug: { value, source } } });
}

function session(
  words: string,
  value: string,
  id: string | null,
  source: ValueSource = 'generated',
): Exchange {
  return example(words, {
    sentBy,
    operation: cancel.id,
    json: { id },
    values: { sessionId: { value, source } },
  });
}

function otherKind(operation: string, status: number, json: object = { slug: 'oxford-shirt' }): Exchange {
  const values = { slug: { value: 'oxford-shirt', source: 'generated' } } as const;
  const row = { slug: 'product-as-merchant' };
  return example(`otherKind ${status}`, { operation, json, row, values });
}
