import type { PassiveCheck } from '../../harness/checks/check.ts';
import { exampleExchange, exampleOperation } from '../../harness/checks/example-exchange.ts';
import { hasTestableBody, jsonFault } from '../../harness/checks/json-fault.ts';

const operation = exampleOperation();

const check: PassiveCheck = {
  kind: 'passive',
  requirement: 'SUCCESS-2',
  title: 'a 200 carries well-formed JSON in UTF-8 under a JSON media type',
  applies: () => true,
  notApplicableReason: () => undefined,
  evaluate: (exchange, { responseSchema }) => {
    if (exchange.response?.status !== 200 || !hasTestableBody(exchange)) return undefined;
    const actual = jsonFault(exchange);
    if (actual === undefined) return 'holds';
    return {
      statement: 'a 200 carries JSON',
      expected: 'well-formed JSON in UTF-8 under a JSON media type',
      actual,
      exchange,
      ...(responseSchema === undefined ? { clause: 'undocumented-operation' } : {}),
    };
  },
  examples: [
    { name: 'an object', given: { operation, exchange: exampleExchange({ status: 200 }) }, says: 'pass' },
    {
      name: 'an array',
      given: { operation, exchange: exampleExchange({ status: 200, body: '[]' }) },
      says: 'pass',
    },
    {
      name: 'a media type of its own',
      given: {
        operation,
        exchange: exampleExchange({ status: 200, contentType: 'application/vnd.shop+json; v=1' }),
      },
      says: 'pass',
    },
    {
      name: 'truncated',
      given: { operation, exchange: exampleExchange({ status: 200, body: '{"a":' }) },
      says: 'violated',
    },
    {
      name: 'empty',
      given: { operation, exchange: exampleExchange({ status: 200, body: '' }) },
      says: 'violated',
    },
    {
      name: 'HTML',
      given: { operation, exchange: exampleExchange({ status: 200, body: '<p>', contentType: 'text/html' }) },
      says: 'violated',
    },
    {
      name: 'JSON under no media type',
      given: { operation, exchange: exampleExchange({ status: 200, contentType: null }) },
      says: 'violated',
    },
    {
      name: 'an error',
      given: { operation, exchange: exampleExchange({ status: 404, body: '' }) },
      says: 'nothing',
    },
  ],
};

export default check;
