import type { Evidence } from '../../harness/checks/check.ts';
import { exampleExchange, exampleOperation } from '../../harness/checks/example-exchange.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import { exampleDocument } from '../../harness/openapi/example-document.ts';
import { type Examples, sentExample } from '../examples-for-tests.ts';

const create = exampleOperation({
  id: 'createHostedCheckoutSession',
  method: 'POST',
  path: '/api/v1/open/hosted/checkout/sessions',
  requestSchema: 'HostedCheckoutCreateRequest',
});

const document = exampleDocument(create, {
  request: { type: 'object', required: ['a'], properties: { a: { type: 'integer' } } },
});

const uncheckable = exampleDocument(create, {
  request: { type: 'object', required: ['a'], properties: { a: { type: 'string', pattern: '^(.)\\1$' } } },
});

const valid = sentExample({ step: 'valid', status: 200 }, '{"a":1}');

/** Examples of request/schema-violation-is-rejected. */
export const examples: Examples = {
  operation: create,
  passes: {
    'refused with 400': given(
      valid,
      sentExample({ step: 'value', status: 400 }, '{}'),
      sentExample({ step: 'value', status: 400 }, '{"a":"1"}'),
    ),
    'a made-up body names nothing that is there': given(
      valid,
      sentExample({ step: 'value', status: 400 }, '{}'),
      sentExample({ step: 'random', row: { body: 'made-up' }, status: 404 }, '{"a":"x"}'),
    ),
    'a made-up body is let in that satisfies the schema after all': given(
      valid,
      sentExample({ step: 'value', status: 400 }, '{}'),
      sentExample({ step: 'random', row: { body: 'made-up' }, status: 200 }, '{"a":3}'),
    ),
  },
  violates: {
    'let in': given(valid, sentExample({ step: 'value', status: 200 }, '{}')),
    'a made-up body is let in': given(
      valid,
      sentExample({ step: 'value', status: 400 }, '{}'),
      sentExample({ step: 'random', row: { body: 'made-up' }, status: 200 }, '{"a":"x"}'),
    ),
    '500, and the valid call is still answered': given(
      valid,
      sentExample({ step: 'value', status: 500 }, '{"a":{}}'),
      exampleExchange({ step: 'recovery', row: { company: '500' }, status: 200 }),
    ),
    'the body that satisfies the schema is refused as well': given(
      sentExample({ step: 'valid', status: 400 }, '{"a":1}'),
      sentExample({ step: 'value', status: 400 }, '{}'),
    ),
    'the known body violates the schema and is let in': given(
      sentExample({ step: 'valid', status: 200 }, '{"b":1}'),
    ),
  },
  inconclusive: {
    'let in though it was built to violate the schema, but does not': given(
      valid,
      sentExample({ step: 'value', status: 200 }, '{"a":2}'),
    ),
    'the known body violates the schema and is refused': given(
      sentExample({ step: 'valid', status: 400 }, '{"b":1}'),
    ),
    'the known body is refused, and may violate a pattern that cannot be checked': {
      ...given(sentExample({ step: 'valid', status: 400 }, '{"a":"b"}')),
      document: uncheckable,
    },
    'all that can be checked is refused, and a pattern cannot be checked': {
      ...given(
        sentExample({ step: 'valid', status: 200 }, '{"a":"bb"}'),
        sentExample({ step: 'value', status: 400 }, '{}'),
      ),
      document: uncheckable,
    },
    'nothing was sent': given(),
  },
  notApplicable: {
    'no document': [valid],
    'a document without fields': { ...given(), document: exampleDocument(create, { request: {} }) },
  },
};

function given(...exchanges: readonly Exchange[]): Evidence {
  return { operation: create, exchanges, document };
}
