import { exampleDocument } from '../../harness/openapi/example-document-for-tests.ts';
import type { Examples } from '../examples-for-tests.ts';
import { again, create, document, sent, valid, withoutSchema } from './example-bodies-for-tests.ts';

const uncheckable = exampleDocument(create, {
  request: { type: 'object', required: ['a'], properties: { a: { type: 'string', pattern: '^(.)\\1$' } } },
});
const refused = sent('value 400', '{}');

export const examples: Examples = {
  operation: create,
  document,
  passes: {
    'refused with 400': [valid, refused, sent('value 400', '{"a":"1"}')],
    'a made-up body names nothing that is there': [
      valid,
      refused,
      sent('random 404', '{"a":"x"}', 'made-up'),
    ],
    'a made-up body is let in that satisfies the schema after all': [
      valid,
      refused,
      sent('random 200', '{"a":3}', 'made-up'),
    ],
  },
  violates: {
    'let in': [valid, sent('value 200', '{}')],
    'a made-up body is let in': [valid, refused, sent('random 200', '{"a":"x"}', 'made-up')],
    '500, and the valid call is still answered': [valid, sent('value 500', '{"a":{}}'), again('500', 200)],
    'the body that satisfies the schema is refused as well': [sent('valid 400', '{"a":1}'), refused],
    'the known body violates the schema and is let in': [sent('valid 200', '{"b":1}')],
  },
  inconclusive: {
    'let in though it was built to violate the schema, but does not': [valid, sent('value 200', '{"a":2}')],
    'the known body violates the schema and is refused': [sent('valid 400', '{"b":1}')],
    'the known body is refused, and may violate a pattern that cannot be checked': {
      exchanges: [sent('valid 400', '{"a":"b"}')],
      document: uncheckable,
    },
    'all that can be checked is refused, and a pattern cannot be checked': {
      exchanges: [sent('valid 200', '{"a":"bb"}'), refused],
      document: uncheckable,
    },
    'nothing was sent': [],
  },
  notApplicable: withoutSchema,
};
