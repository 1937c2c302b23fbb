import type { Evidence } from '../../harness/checks/check.ts';
import { type ExampleParts, exampleOperation } from '../../harness/checks/example-exchange.ts';
import type { Exchange, UsedValue } from '../../harness/model/exchange.ts';
import { type Examples, example } from '../examples-for-tests.ts';
import { lastChanged } from './near-misses.ts';

const below = exampleOperation({ id: 'getProduct', auth: 'none', pathParameters: ['store', 'slug'] });
const ofSession = exampleOperation({ pathParameters: ['sessionId'], takesIssued: ['sessionId'] });

const unknownBoth = { ...unknown(404), row: { store: 'unknown', slug: 'unknown' } };

const values = { slug: ofTarget('linen-shirt') };
const control = example('valid 200', { values });
const shown = example('valid 200', { values, json: { slug: 'linen-shirt' } });

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
    '404 for a near miss': [control, made('nearMiss 404', inTheMiddle, 'linen-shjrt')],
    '400 for one, 404 for another': [control, unknown(400), unknown(404)],
    '400 for an id of another form, 404 for a near one': sessions(['unknown', 400], [inTheMiddle, 404]),
    'the next session of a series is one': sessions(['unknown', 404], [lastChanged, 200]),
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
    'an id that nobody issued is a session, which bears it': sessions(['unknown', 404], [inTheMiddle, 200]),
    'a part of it is a session as well': sessions(['unknown', 404], [inTheMiddle, 206]),
    'it cannot be cancelled': sessions(['unknown', 404], [inTheMiddle, 409]),
  },
  inconclusive: {
    '400 for every id that may carry a checksum': [
      example('valid 200', { values: { slug: ofTarget('cs_9fK2.aQ') } }),
      unknown(400),
    ],
    '404 for the known value too': [example('valid 404'), unknown(404)],
  },
};

/** Sessions, each of which shows the id that was asked for. */
function sessions(
  ...asked: ReadonlyArray<readonly [what: string, status: number]>
): Pick<Evidence, 'operation' | 'exchanges'> {
  const exchanges = [['valid', 200] as const, ...asked].map(([what, status]) => {
    const value = ids.get(what) ?? 'cs_f90630ef301b164d23c21b8236f501ba';
    const isValid = what === 'valid';
    const source = isValid ? 'captured' : 'generated';
    return example(`${isValid || what === 'unknown' ? what : 'nearMiss'} ${status}`, {
      ...(!isValid && { row: { sessionId: what } }),
      values: { sessionId: { value, source } },
      json: { sessionId: value },
    });
  });
  return { operation: ofSession, exchanges };
}

function belowStore(slug: string, merchant = 'acme'): Exchange {
  const parts = { json: { slug, merchant }, values: { store: ofTarget('acme'), slug: ofTarget(slug) } };
  return slug === 'linen-shirt'
    ? example('valid 200', parts)
    : example('otherKind 200', {
        ...parts,
        row: { slug: 'of-store-1' },
        values: { ...parts.values, slug: { value: slug, source: 'generated' } },
      });
}

function unknown(status: number): Exchange {
  return made(`unknown ${status}`, 'unknown', 'kwkas-jtjkz');
}

function otherKind(slug: string): Exchange {
  return made('otherKind 200', 'merchant-as-product', 'acme', { body: JSON.stringify({ slug }) });
}

function made(words: string, id: string, value: string, parts: ExampleParts = {}): Exchange {
  return example(words, { row: { slug: id }, values: { slug: { value, source: 'generated' } }, ...parts });
}

function ofTarget(value: string): UsedValue {
  return { value, source: 'target-file' };
}
