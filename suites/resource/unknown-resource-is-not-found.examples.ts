import {
  type ExampleParts,
  exampleExchange,
  exampleOperation,
} from '../../harness/checks/example-exchange.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import type { Operation } from '../../spec/operation.ts';
import type { Examples } from '../examples-for-tests.ts';
import { lastChanged } from './near-misses.ts';

const below = exampleOperation({ id: 'getProduct', auth: 'none', pathParameters: ['store', 'slug'] });

const unknownBoth = { ...unknown(404), row: { store: 'unknown', slug: 'unknown' } };

const known: ExampleParts = {
  step: 'valid',
  status: 200,
  values: { slug: { value: 'linen-shirt', source: 'target-file' } },
};
const control = exampleExchange(known);

const shown = exampleExchange({ ...known, body: '{"slug":"linen-shirt"}' });

const inTheMiddle = 'one character changed in the middle';
const ids = new Map([
  ['valid', 'cs_3b4ceb10b8fd4899851f02a43758deb1'],
  [inTheMiddle, 'cs_3b4ceb10b8fd4899051f02a43758deb1'],
  [lastChanged, 'cs_3b4ceb10b8fd4899851f02a43758deb9'],
]);

export const examples: Examples = {
  operation: exampleOperation({ id: 'getPublicProduct', auth: 'none', pathParameters: ['slug'] }),
  passes: {
    'a product has the name of the store': [shown, unknown(404), otherKind('acme')],
    'a product of another store has a namesake in the known one': {
      operation: below,
      exchanges: [belowStore('linen-shirt'), unknownBoth, belowStore('moka-pot')],
    },
    '404': [control, unknown(404)],
    '404 for a near miss': [control, nearMiss(404)],
    '400 for one, 404 for another': [control, unknown(400), unknown(404)],
    '400 for an id of another form, 404 for a near one': ofSessions([
      session('unknown', 400),
      session(inTheMiddle, 404),
    ]),
    'the next session of a series is one': ofSessions([session('unknown', 404), session(lastChanged, 200)]),
  },
  violates: {
    'a store is found as a product': [shown, unknown(404), otherKind('linen-shirt')],
    'a product of another store is found below the known one': {
      operation: below,
      exchanges: [belowStore('linen-shirt'), unknownBoth, belowStore('moka-pot', 'café')],
    },
    '200': [control, unknown(200)],
    '500': [control, unknown(500)],
    '403': [control, unknown(403)],
    '400 for every plain slug': [control, unknown(400)],
    'an id that nobody issued is a session, which bears it': ofSessions([
      session('unknown', 404),
      session(inTheMiddle, 200),
    ]),
    'a part of it is a session as well': ofSessions([session('unknown', 404), session(inTheMiddle, 206)]),
    'it cannot be cancelled': ofSessions([session('unknown', 404), session(inTheMiddle, 409)]),
  },
  inconclusive: {
    '400 for every id that may carry a checksum': [
      { step: 'valid', status: 200, values: { slug: { value: 'cs_9fK2.aQ', source: 'target-file' } } },
      unknown(400),
    ],
    '404 for the known value too': [{ step: 'valid', status: 404 }, unknown(404)],
  },
};

function ofSessions(exchanges: readonly Exchange[]): {
  readonly operation: Operation;
  readonly exchanges: readonly Exchange[];
} {
  const operation = exampleOperation({ pathParameters: ['sessionId'], takesIssued: ['sessionId'] });
  return { operation, exchanges: [session('valid', 200), ...exchanges] };
}

/** A session that shows the id that was asked for. */
function session(what: string, status: number): Exchange {
  const value = ids.get(what) ?? 'cs_f90630ef301b164d23c21b8236f501ba';
  const step = ['valid', 'unknown'].includes(what) ? what : 'nearMiss';
  return exampleExchange({
    step,
    status,
    ...(what !== 'valid' && { row: { sessionId: what } }),
    values: { sessionId: { value, source: what === 'valid' ? 'captured' : 'generated' } },
    body: JSON.stringify({ sessionId: value }),
  });
}

function belowStore(slug: string, merchant = 'acme'): Exchange {
  const isKnown = slug === 'linen-shirt';
  return exampleExchange({
    ...(isKnown ? { step: 'valid' } : { step: 'otherKind', row: { slug: 'of-store-1' } }),
    status: 200,
    values: {
      store: { value: 'acme', source: 'target-file' },
      slug: { value: slug, source: isKnown ? 'target-file' : 'generated' },
    },
    body: JSON.stringify({ slug, merchant }),
  });
}

function nearMiss(status: number): Exchange {
  const slug = { value: 'linen-shjrt', source: 'generated' } as const;
  return exampleExchange({
    step: 'nearMiss',
    row: { slug: 'one character changed in the middle' },
    status,
    values: { slug },
  });
}

function unknown(status: number): Exchange {
  const slug = { value: 'kwkas-jtjkz', source: 'generated' } as const;
  return exampleExchange({ step: 'unknown', row: { slug: 'unknown' }, status, values: { slug } });
}

function otherKind(shown: string): Exchange {
  return exampleExchange({
    step: 'otherKind',
    row: { slug: 'merchant-as-product' },
    status: 200,
    values: { slug: { value: 'acme', source: 'generated' } },
    body: JSON.stringify({ slug: shown }),
  });
}
