import { exampleExchange, exampleOperation } from '../../harness/checks/example-exchange.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import type { Examples } from '../examples-for-tests.ts';

const product = exampleOperation({ id: 'getPublicProduct', auth: 'none', pathParameters: ['slug'] });
const cancel = exampleOperation({ id: 'cancelSession', method: 'POST', pathParameters: ['sessionId'] });

const known = answered('linen-shirt', 200, '{"slug":"linen-shirt","name":"Linen shirt"}', 'target-file');
const unknown = { ...answered('kwkas-jtjkz', 404), step: 'unknown' };

export const examples: Examples = {
  operation: product,
  passes: {
    'a product has the name of a store, here and elsewhere': [
      known,
      unknown,
      otherKind(product.id, 200),
      otherKind('getPublicStore', 200),
    ],
    'the number 0 is a slug': [known, unknown, zero('0')],
    'the number 0 finds a product that has it beside its slug': [known, unknown, zero('wool-scarf', 0)],
    'a near miss is not found': [known, unknown, answered('linen-shir', 404)],
    'a near miss names another product': [
      known,
      unknown,
      answered('linen-shirt-2', 200, '{"slug":"linen-shirt-2","name":"Linen shirt"}'),
    ],
    'the known product in another letter case': [
      known,
      unknown,
      answered('LINEN-SHIRT%20', 200, known.response?.body.text),
    ],
    'an unrelated value gets the same default': [
      answered('linen-shirt', 200, '{"theme":"plain","font":"serif"}', 'target-file'),
      { ...answered('kwkas-jtjkz', 200, '{"theme":"plain","font":"serif"}'), step: 'unknown' },
      answered('linen-shir', 200, '{"theme":"plain","font":"serif"}'),
    ],
  },
  violates: {
    'the prototype of an object is found, and no unknown slug': [
      known,
      unknown,
      { ...answered('__proto__', 200, '{}'), row: { slug: 'proto' } },
    ],
    'the number 0 finds another product': [known, unknown, zero('wool-scarf')],
    'a product is a store without categories, and no store elsewhere': [
      known,
      unknown,
      otherKind(product.id, 200),
      otherKind('getPublicStore', 404),
    ],
    'a cut slug finds the product': [known, unknown, answered('linen-shir', 200, known.response?.body.text)],
    'an extended slug finds the product, beside a near miss that finds none': [
      known,
      { ...answered('linen-shirx', 404), step: 'nearMiss' },
      answered('linen-shirt%00x', 200, known.response?.body.text),
    ],
    'an extended slug finds the product, which shows no slug': [
      answered('linen-shirt', 200, '{"name":"Linen shirt","price":"12.00"}', 'target-file'),
      unknown,
      answered('linen-shirt,v1', 200, '{"name":"Linen shirt","price":"12.00"}'),
    ],
    'a cut id cancels a session': {
      operation: cancel,
      exchanges: [
        session('4c9d2a51-0b7e-4f66-9a3d-2f5b8c1e7d90', '4c9d2a51-0b7e-4f66-9a3d-2f5b8c1e7d90', 'captured'),
        { ...session('99999999-0b7e-4f66-9a3d-2f5b8c1e7d90', undefined), step: 'unknown' },
        session('7e15b0c2-1111-4f66-9a3d-2f5b8c1e7d9', '7e15b0c2-1111-4f66-9a3d-2f5b8c1e7d90'),
      ],
    },
  },
  inconclusive: {
    'no wrong value': [known],
    'the known value is not found either': [answered('linen-shirt', 404, '{}', 'target-file'), unknown],
  },
  notApplicable: {
    'an empty list': [
      answered('linen-shirt', 200, '{"items":[]}', 'target-file'),
      unknown,
      answered('linen-shir', 200, '{"items":[]}'),
    ],
  },
};

function zero(slug: string, id?: number): Exchange {
  return { ...answered('0', 200, JSON.stringify({ slug, id })), row: { slug: 'zero' } };
}

function answered(
  value: string,
  status: number,
  body = '{"code":"none"}',
  source: 'generated' | 'target-file' = 'generated',
): Exchange {
  const parts = { operation: product.id, status, body, values: { slug: { value, source } } };
  return ofCase(exampleExchange(parts));
}

function session(
  value: string,
  shown: string | undefined,
  source: 'generated' | 'captured' = 'generated',
): Exchange {
  const status = shown === undefined ? 404 : 200;
  const body = JSON.stringify({ id: shown ?? null });
  return ofCase(
    exampleExchange({ operation: cancel.id, status, body, values: { sessionId: { value, source } } }),
  );
}

function ofCase(exchange: Exchange): Exchange {
  return { ...exchange, case: { ...exchange.case, check: 'resource/any-path-value-is-answered' } };
}

function otherKind(operation: string, status: number): Exchange {
  const row = { slug: 'product-as-merchant' };
  const values = { slug: { value: 'oxford-shirt', source: 'generated' } } as const;
  return exampleExchange({ step: 'otherKind', operation, status, body: '[]', row, values });
}
