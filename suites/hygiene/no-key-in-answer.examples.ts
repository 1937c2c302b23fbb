import { exampleExchange, exampleOperation } from '../../harness/checks/example-exchange.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import type { PassiveExamples } from '../examples-for-tests.ts';

const operation = exampleOperation();

/** Examples of hygiene/no-key-in-answer. */
export const examples: PassiveExamples = {
  passes: [
    {
      name: 'no key',
      given: { operation, exchange: exampleExchange({ status: 200, body: '{"keyId":"pk_1"}' }) },
    },
    {
      name: 'a masked key',
      given: { operation, exchange: exampleExchange({ status: 200, body: '{"key":"pk_live_…x4f2"}' }) },
    },
    {
      name: 'a word that happens to be the key',
      given: {
        operation,
        exchange: keyed(exampleExchange({ status: 200, body: '{"name":"<scoped key>-shop"}' })),
      },
    },
  ],
  violates: [
    {
      name: 'the key in the body',
      given: { operation, exchange: keyed(exampleExchange({ status: 200, body: '{"key":"<scoped key>"}' })) },
    },
    {
      name: 'the key in a header',
      given: {
        operation,
        exchange: keyed(exampleExchange({ status: 200, headers: { 'x-caller': 'Bearer <scoped key>' } })),
      },
    },
    {
      name: 'the key of another caller',
      given: {
        operation,
        exchange: keyed(exampleExchange({ status: 403, body: '{"key":"<unscoped key>"}' })),
      },
    },
    {
      name: 'a refused key, which may be a good one misspelt',
      given: {
        operation,
        exchange: keyed(
          exampleExchange({ status: 401, credential: 'invalid', body: '{"message":"no key <unknown key>"}' }),
          'unknown key',
        ),
      },
    },
  ],
  ignores: [
    {
      name: 'a call without a key',
      given: { operation, exchange: exampleExchange({ status: 401, credential: 'none' }) },
    },
  ],
};

function keyed(exchange: Exchange, description = 'scoped key'): Exchange {
  const credential = { ...exchange.request.credential, description };
  return { ...exchange, request: { ...exchange.request, credential } };
}
