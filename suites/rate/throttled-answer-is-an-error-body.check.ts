import type { PassiveCheck } from '../../harness/checks/check.ts';
import { exampleExchange, exampleOperation } from '../../harness/checks/example-exchange.ts';
import { jsonFault } from '../../harness/checks/json-fault.ts';
import { describeBody, statusOf } from '../../harness/evidence/answer.ts';

const operation = exampleOperation();

const check: PassiveCheck = {
  kind: 'passive',
  requirement: 'RATE-1',
  title: 'a 429 carries a PublicErrorResponse, with or without Retry-After',
  applies: () => true,
  notApplicableReason: () => 'the target did not throttle here',
  evaluate: (exchange) => {
    const { response } = exchange;
    if (response === undefined || statusOf(exchange) !== 429) return undefined;
    const actual =
      jsonFault(exchange) ?? (response.body.json === 'object' ? undefined : describeBody(response.body));
    if (actual === undefined) return 'holds';
    return {
      statement: 'a 429 carries a PublicErrorResponse',
      expected: 'a JSON object in UTF-8 under a JSON media type',
      actual,
      exchange,
    };
  },
  examples: [
    { name: 'an error body', given: { operation, exchange: exampleExchange({ status: 429 }) }, says: 'pass' },
    {
      name: 'an error body and Retry-After',
      given: { operation, exchange: exampleExchange({ status: 429, headers: { 'retry-after': '3600' } }) },
      says: 'pass',
    },
    {
      name: 'plain text',
      given: {
        operation,
        exchange: exampleExchange({ status: 429, body: 'slow down', contentType: 'text/plain' }),
      },
      says: 'violated',
    },
    {
      name: 'empty',
      given: { operation, exchange: exampleExchange({ status: 429, body: '' }) },
      says: 'violated',
    },
    {
      name: 'another status',
      given: { operation, exchange: exampleExchange({ status: 503 }) },
      says: 'nothing',
    },
  ],
};

export default check;
