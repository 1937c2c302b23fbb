import type { PassiveCheck } from '../../harness/checks/check.ts';
import { exampleExchange, exampleOperation } from '../../harness/checks/example-exchange.ts';
import { errorBodyFault, hasTestableBody } from '../../harness/checks/json-fault.ts';

const operation = exampleOperation();

const check: PassiveCheck = {
  kind: 'passive',
  requirement: 'ERROR-1',
  title: 'every error answer carries a JSON object in UTF-8 under a JSON media type',
  applies: () => true,
  notApplicableReason: ({ auth, pathParameters, requestSchema }) =>
    auth === 'none' && pathParameters.length === 0 && requestSchema === undefined
      ? 'a public read without parameters need never answer an error, and none was seen'
      : undefined,
  evaluate: (exchange) => {
    const { response } = exchange;
    if (response === undefined || response.status < 400 || !hasTestableBody(exchange)) return undefined;
    const actual = errorBodyFault(exchange);
    if (actual === undefined) return 'holds';
    return {
      statement: `a ${response.status} carries a PublicErrorResponse`,
      expected: 'a JSON object in UTF-8 under a JSON media type',
      actual,
      exchange,
    };
  },
  examples: [
    { name: 'an object', given: { operation, exchange: exampleExchange({ status: 404 }) }, says: 'pass' },
    {
      name: 'problem details',
      given: {
        operation,
        exchange: exampleExchange({ status: 400, contentType: 'application/problem+json' }),
      },
      says: 'pass',
    },
    {
      name: 'empty',
      given: { operation, exchange: exampleExchange({ status: 401, body: '' }) },
      says: 'violated',
    },
    {
      name: 'an array',
      given: { operation, exchange: exampleExchange({ status: 404, body: '[]' }) },
      says: 'violated',
    },
    {
      name: 'plain text',
      given: {
        operation,
        exchange: exampleExchange({ status: 404, body: 'Not Found', contentType: 'text/plain' }),
      },
      says: 'violated',
    },
    {
      name: 'an object under another media type',
      given: { operation, exchange: exampleExchange({ status: 404, contentType: 'text/html' }) },
      says: 'violated',
    },
    {
      name: 'a success',
      given: { operation, exchange: exampleExchange({ status: 200, body: '' }) },
      says: 'nothing',
    },
  ],
};

export default check;
