import { exampleExchange } from '../../harness/checks/example-exchange.ts';
import { exampleDocument } from '../../harness/openapi/example-document.ts';
import { type Examples, sentExample } from '../examples-for-tests.ts';
import { create, document, valid, withoutSchema } from './example-bodies-for-tests.ts';

const uncheckable = exampleDocument(create, {
  request: { type: 'object', required: ['a'], properties: { a: { type: 'string', pattern: '^(.)\\1$' } } },
});

export const examples: Examples = {
  operation: create,
  document,
  passes: {
    'refused with 400': [
      valid,
      sentExample({ step: 'value', status: 400 }, '{}'),
      sentExample({ step: 'value', status: 400 }, '{"a":"1"}'),
    ],
    'a made-up body names nothing that is there': [
      valid,
      sentExample({ step: 'value', status: 400 }, '{}'),
      sentExample({ step: 'random', row: { body: 'made-up' }, status: 404 }, '{"a":"x"}'),
    ],
    'a made-up body is let in that satisfies the schema after all': [
      valid,
      sentExample({ step: 'value', status: 400 }, '{}'),
      sentExample({ step: 'random', row: { body: 'made-up' }, status: 200 }, '{"a":3}'),
    ],
  },
  violates: {
    'let in': [valid, sentExample({ step: 'value', status: 200 }, '{}')],
    'a made-up body is let in': [
      valid,
      sentExample({ step: 'value', status: 400 }, '{}'),
      sentExample({ step: 'random', row: { body: 'made-up' }, status: 200 }, '{"a":"x"}'),
    ],
    '500, and the valid call is still answered': [
      valid,
      sentExample({ step: 'value', status: 500 }, '{"a":{}}'),
      exampleExchange({ step: 'recovery', row: { company: '500' }, status: 200 }),
    ],
    'the body that satisfies the schema is refused as well': [
      sentExample({ step: 'valid', status: 400 }, '{"a":1}'),
      sentExample({ step: 'value', status: 400 }, '{}'),
    ],
    'the known body violates the schema and is let in': [
      sentExample({ step: 'valid', status: 200 }, '{"b":1}'),
    ],
  },
  inconclusive: {
    'let in though it was built to violate the schema, but does not': [
      valid,
      sentExample({ step: 'value', status: 200 }, '{"a":2}'),
    ],
    'the known body violates the schema and is refused': [
      sentExample({ step: 'valid', status: 400 }, '{"b":1}'),
    ],
    'the known body is refused, and may violate a pattern that cannot be checked': {
      exchanges: [sentExample({ step: 'valid', status: 400 }, '{"a":"b"}')],
      document: uncheckable,
    },
    'all that can be checked is refused, and a pattern cannot be checked': {
      exchanges: [
        sentExample({ step: 'valid', status: 200 }, '{"a":"bb"}'),
        sentExample({ step: 'value', status: 400 }, '{}'),
      ],
      document: uncheckable,
    },
    'nothing was sent': [],
  },
  notApplicable: withoutSchema,
};
