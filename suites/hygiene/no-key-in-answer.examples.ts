import { exampleExchange } from '../../harness/checks/example-exchange.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import type { PassiveExamples } from '../examples-for-tests.ts';

/** Examples of hygiene/no-key-in-answer. */
export const examples: PassiveExamples = {
  passes: {
    'no key': { status: 200, body: '{"keyId":"pk_1"}' },
    'a masked key': { status: 200, body: '{"key":"pk_live_…x4f2"}' },
    'a word that happens to be the key': keyed(
      exampleExchange({ status: 200, body: '{"name":"<scoped key>-shop"}' }),
    ),
  },
  violates: {
    'the key in the body': keyed(exampleExchange({ status: 200, body: '{"key":"<scoped key>"}' })),
    'the key in a header': keyed(
      exampleExchange({ status: 200, headers: { 'x-caller': 'Bearer <scoped key>' } }),
    ),
    'the key of another caller': keyed(exampleExchange({ status: 403, body: '{"key":"<unscoped key>"}' })),
    'a refused key, which may be a good one misspelt': keyed(
      exampleExchange({ status: 401, credential: 'invalid', body: '{"message":"no key <unknown key>"}' }),
      'unknown key',
    ),
  },
  ignores: { 'a call without a key': { status: 401, credential: 'none' } },
};

function keyed(exchange: Exchange, description = 'scoped key'): Exchange {
  const credential = { ...exchange.request.credential, description };
  return { ...exchange, request: { ...exchange.request, credential } };
}
