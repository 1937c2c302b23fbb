import type { ExampleParts } from '../../harness/checks/example-exchange.ts';
import type { PassiveExamples } from '../examples-for-tests.ts';

export const examples: PassiveExamples = {
  passes: {
    'no key': { status: 200, body: '{"keyId":"pk_1"}' },
    'a masked key': { status: 200, body: '{"key":"pk_live_…x4f2"}' },
    'a word that happens to be the key': keyed({ status: 200, body: '{"name":"<scoped key>-shop"}' }),
  },
  violates: {
    'the key in the body': keyed({ status: 200, body: '{"key":"<scoped key>"}' }),
    'the key in a header': keyed({ status: 200, headers: { 'x-caller': 'Bearer <scoped key>' } }),
    'the key of another caller': keyed({ status: 403, body: '{"key":"<unscoped key>"}' }),
    'a refused key, which may be a good one misspelt': keyed(
      { status: 401, credential: 'invalid', body: '{"message":"no key <unknown key>"}' },
      'unknown key',
    ),
  },
  ignores: { 'a call without a key': { status: 401, credential: 'none' } },
};

function keyed(parts: ExampleParts, description = 'scoped key'): ExampleParts {
  return { ...parts, request: { credential: { kind: parts.credential ?? 'scoped', description } } };
}
