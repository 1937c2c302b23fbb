import { exampleExchange, exampleOperation } from '../../harness/checks/example-exchange.ts';
import type { Exchange, Row } from '../../harness/model/exchange.ts';
import type { Examples } from '../examples-for-tests.ts';

const operation = exampleOperation();

const cancel = exampleOperation({ method: 'POST', role: 'ends-session' });
const blanksBefore = { body: ['blanks-before'] };
const inTwoPackets = { body: ['wide-letters'], wire: ['body in two packets'] };
const served = called({ accept: '*/*' }, 200);
const control = exampleExchange({ step: 'valid', role: 'control', status: 200 });

/** Examples of client/any-client-is-answered. */
export const examples: Examples = {
  passes: [
    { name: 'every client is answered', given: { operation, exchanges: [served, served] } },
    {
      name: 'a query parameter is refused',
      given: { operation, exchanges: [served, called({ accept: '*/*', query: 'page=-1' }, 400)] },
    },
    {
      name: 'a body is refused for its size, whatever it holds',
      given: {
        operation,
        exchanges: [
          served,
          called(blanksBefore, 400),
          control,
          isolated(blanksBefore, 400),
          isolated({ body: ['blanks-after'] }, 400),
          isolated({ body: ['long-member'] }, 400),
        ],
      },
    },
    {
      name: 'letters outside ASCII are refused, in one packet or two',
      given: {
        operation,
        exchanges: [served, called(inTwoPackets, 400), control, isolated({ body: ['wide-letters'] }, 400)],
      },
    },
    {
      name: 'a page that does not exist, and a query that cannot be decoded, are not found',
      given: {
        operation,
        exchanges: [
          served,
          called({ query: 'page=99999' }, 404),
          called({ query: ['page=%zz', 'ref=%FF'] }, 404),
        ],
      },
    },
    {
      name: 'a malformed condition is refused',
      given: { operation, exchanges: [served, called({ 'if-none-match': 'abc' }, 400)] },
    },
    {
      name: 'a firewall refuses a call without User-Agent with its page',
      given: {
        operation,
        exchanges: [
          served,
          exampleExchange({
            step: 'client',
            row: { 'user-agent': 'none' },
            status: 403,
            contentType: 'text/html',
            body: '<html><head><title>403 Forbidden</title></head></html>',
          }),
        ],
      },
    },
    {
      name: 'a create returned a session that had been cancelled',
      given: {
        operation: cancel,
        exchanges: [cancelled('A', 200), cancelled('A', 409), cancelled('A', 409)],
      },
    },
  ],
  violates: [
    {
      name: 'fresh sessions cannot be cancelled by some clients',
      given: { operation: cancel, exchanges: [cancelled('A', 409), cancelled('B', 409), control] },
    },
    {
      name: 'a call without Accept fails each time, and the plain one does not',
      given: {
        operation,
        exchanges: [
          called({ accept: 'none', cookie: 'theme=100%' }, 500),
          control,
          isolated({ accept: 'none' }, 500),
          control,
          isolated({ accept: 'none' }, 500),
          isolated({ cookie: 'theme=100%' }, 200),
        ],
      },
    },
    {
      name: 'letters outside ASCII are accepted in one packet, and not in two',
      given: {
        operation,
        exchanges: [
          called(inTwoPackets, 400),
          control,
          isolated(inTwoPackets, 400),
          isolated({ body: ['wide-letters'] }, 200),
          control,
        ],
      },
    },
    {
      name: 'a body is refused for the blanks before it, and one as large is accepted',
      given: {
        operation,
        exchanges: [
          called(blanksBefore, 400),
          control,
          isolated(blanksBefore, 400),
          isolated({ body: ['blanks-after'] }, 200),
          control,
          isolated(blanksBefore, 400),
        ],
      },
    },
    {
      name: 'the service itself forbids a client by its name',
      given: {
        operation,
        exchanges: [
          called({ 'user-agent': 'curl/8.5.0' }, 403),
          control,
          isolated({ 'user-agent': 'curl/8.5.0' }, 403),
          control,
          isolated({ 'user-agent': 'curl/8.5.0' }, 403),
        ],
      },
    },
  ],
  inconclusive: [
    {
      name: 'the plain call fails too',
      given: {
        operation,
        exchanges: [called({ accept: 'none' }, 500), exampleExchange({ step: 'valid', status: 500 })],
      },
    },
    {
      name: 'the failure does not come again',
      given: {
        operation,
        exchanges: [called({ accept: 'none' }, 500), control, isolated({ accept: 'none' }, 200)],
      },
    },
    { name: 'nothing was sent', given: { operation, exchanges: [] } },
  ],
};

function called(row: Row, status: number): Exchange {
  return exampleExchange({ step: 'client', row, status });
}

function isolated(row: Row, status: number): Exchange {
  return exampleExchange({ step: 'isolated', row, status });
}

function cancelled(session: string, status: number): Exchange {
  const values = { sessionId: { value: session, source: 'captured' } } as const;
  return exampleExchange({ step: 'client', row: blanksBefore, status, values });
}
