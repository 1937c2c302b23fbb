import { exampleOperation } from '../../harness/checks/example-exchange.ts';
import type { Exchange, Row } from '../../harness/model/exchange.ts';
import { type Examples, example } from '../examples-for-tests.ts';

const cancel = exampleOperation({ method: 'POST', role: 'ends-session' });
const blanksBefore = { body: ['blanks-before'] };
const inTwoPackets = { body: ['wide-letters'], wire: ['body in two packets'] };
const curl = { 'user-agent': 'curl/8.5.0' };
const served = called({ accept: '*/*' }, 200);
const control = example('valid 200', { role: 'control' });

export const examples: Examples = {
  passes: {
    'every client is answered': [served, served],
    'a query parameter is refused': [served, called({ accept: '*/*', query: 'page=-1' }, 400)],
    'a body is refused for its size, whatever it holds': [
      served,
      called(blanksBefore, 400),
      control,
      isolated(blanksBefore, 400),
      isolated({ body: ['blanks-after'] }, 400),
      isolated({ body: ['long-member'] }, 400),
    ],
    'letters outside ASCII are refused, in one packet or two': [
      served,
      called(inTwoPackets, 400),
      control,
      isolated({ body: ['wide-letters'] }, 400),
      isolated({ wire: ['body in two packets'] }, 200),
    ],
    'a page that does not exist, and a query that cannot be decoded, are not found': [
      served,
      called({ query: 'page=99999' }, 404),
      called({ query: ['page=%zz', 'q=%C3%28'] }, 404),
    ],
    'a malformed condition is refused': [served, called({ 'if-none-match': 'abc' }, 400)],
    'a create returned a session that had been cancelled': {
      operation: cancel,
      exchanges: [cancelled('A', 200), cancelled('A', 409), cancelled('A', 409)],
    },
  },
  violates: {
    'a firewall refuses a call without User-Agent with its page': [
      served,
      example('client 403', {
        row: { 'user-agent': 'none' },
        contentType: 'text/html',
        body: '<html><head><title>403 Forbidden</title></head></html>',
      }),
    ],
    'fresh sessions cannot be cancelled by some clients': {
      operation: cancel,
      exchanges: [cancelled('A', 409), cancelled('B', 409), control],
    },
    'a call without Accept fails each time, and the plain one does not': [
      called({ accept: 'none', cookie: 'theme=100%' }, 500),
      control,
      isolated({ accept: 'none' }, 500),
      control,
      isolated({ accept: 'none' }, 500),
      isolated({ cookie: 'theme=100%' }, 200),
    ],
    'letters outside ASCII are accepted in one packet, and not in two': [
      called(inTwoPackets, 400),
      control,
      isolated(inTwoPackets, 400),
      isolated({ body: ['wide-letters'] }, 200),
      control,
    ],
    'a body is refused for the blanks before it, and one as large is accepted': [
      called(blanksBefore, 400),
      control,
      isolated(blanksBefore, 400),
      isolated({ body: ['blanks-after'] }, 200),
      control,
      isolated(blanksBefore, 400),
    ],
    'the service itself forbids a client by its name': [
      called(curl, 403),
      control,
      isolated(curl, 403),
      control,
      isolated(curl, 403),
    ],
  },
  inconclusive: {
    'the plain call fails too': [called({ accept: 'none' }, 500), 'valid 500'],
    'the failure does not come again': [
      called({ accept: 'none' }, 500),
      control,
      isolated({ accept: 'none' }, 200),
    ],
    'a body in chunks came only in a call that may be refused for its query': [
      served,
      called({ query: 'page=-1', framing: 'chunked' }, 400),
    ],
    'nothing was sent': [],
  },
};

function called(row: Row, status: number): Exchange {
  return example(`client ${status}`, { row });
}

function isolated(row: Row, status: number): Exchange {
  return example(`isolated ${status}`, { row });
}

function cancelled(session: string, status: number): Exchange {
  const values = { sessionId: { value: session, source: 'captured' } } as const;
  return example(`client ${status}`, { row: blanksBefore, values });
}
