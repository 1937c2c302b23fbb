import { exampleExchange, exampleOperation } from '../../harness/checks/example-exchange.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import type { Examples } from '../examples-for-tests.ts';
import { pathValues } from './path-values.ts';

const cancel = exampleOperation({
  method: 'POST',
  role: 'ends-session',
  pathParameters: ['sessionId'],
});

const known = { value: 'linen-shirt', source: 'target-file' as const };

const control = exampleExchange({ step: 'valid', status: 200, values: { slug: known } });

const cancelControl = exampleExchange({ step: 'valid', status: 200, values: { sessionId: known } });

export const examples: Examples = {
  operation: exampleOperation({ id: 'getPublicProduct', auth: 'none', pathParameters: ['slug'] }),
  passes: {
    'a redirect of a dot segment to its normal form': [control, sent('dot-segment', 301), again(301, 200)],
    'a firewall forbids a path to a file': [control, sent('traversal', 403), again(403, 200)],
    '404': [control, sent('nul', 404)],
    '400, and 200 for another spelling of the known value': [
      control,
      sent('nul', 400),
      sent('other-case', 200),
    ],
    'no answer while the target was out, and 404 later': [
      control,
      sent('nul', undefined),
      again(undefined, undefined),
      again(undefined, 200),
      sent('nul', 404),
    ],
    'an encoded slash leads to no route, which is answered 401': [
      control,
      sent('encoded-slash', 401),
      again(401, 200),
    ],
    '409 to a cancel of the known session in another spelling': {
      operation: cancel,
      exchanges: [cancelControl, sent('nul', 409, 'sessionId')],
    },
    'what is no path by the grammar is refused before it comes to the operation': [
      control,
      sent('malformed', 405),
      sent('empty', 301),
    ],
  },
  violates: {
    'a path to a file shows the file': [
      control,
      {
        step: 'value',
        row: { slug: 'traversal' },
        status: 200,
        body: 'root:x:0:0:root:/root:/bin/bash\n',
        contentType: 'text/plain',
        values: { slug: { value: '..%2f..%2fetc%2fpasswd', source: 'generated' } },
      },
      again(200, 200),
    ],
    '500, and the valid call is still answered': [control, sent('nul', 500), again(500, 200)],
    'no answer each time, and none to the valid call until some time later': [
      control,
      sent('nul', undefined),
      again(undefined, undefined),
      again(undefined, 200),
      sent('nul', undefined),
    ],
    '500 to everything from the value on': [control, sent('nul', 500), again(500, 500)],
    '403 from a guard in front': [control, sent('sql', 403), again(403, 200)],
    '409 to a cancel of nothing that is known': {
      operation: cancel,
      exchanges: [cancelControl, sent('zero', 409, 'sessionId'), again(409, 200)],
    },
    'a random value breaks it, and so does a smaller one': [
      control,
      sentAs('random', 'random', 'a%20b%C3%A4', 500),
      again(500, 200),
      sentAs('smaller', 'smaller', '%C3%A4', 500),
    ],
    'what is no path by the grammar breaks the target': [control, sent('malformed', 500), again(500, 200)],
    '500 where no valid call is known': [sent('nul', 500)],
  },
  inconclusive: {
    'no answer any more': [control, sent('nul', undefined), again(undefined, undefined)],
    '403 from a guard that then shuts out the harness altogether': [
      control,
      sent('sql', 403),
      again(403, 403),
    ],
    '401 where no valid call is known': [sent('nul', 401)],
    '404 for the known values too': [{ step: 'valid', status: 404 }, sent('nul', 404)],
  },
};

function sent(name: string, status: number | undefined, parameter = 'slug'): Exchange {
  const value = pathValues.find(({ id }) => id === name);
  if (value === undefined) throw new Error(`there is no value ${name}`);
  return sentAs('value', name, value.raw('linen-shirt'), status, parameter);
}

function sentAs(
  step: string,
  id: string,
  raw: string,
  status: number | undefined,
  parameter = 'slug',
): Exchange {
  const values = { [parameter]: { value: raw, source: 'generated' as const } };
  return exampleExchange({
    ...{ step, row: { [parameter]: id }, values },
    ...(status === undefined ? { failure: 'reset' } : { status }),
  });
}

function again(answer: number | undefined, status: number | undefined): Exchange {
  const company = answer === undefined ? 'no answer (reset)' : String(answer);
  return exampleExchange({
    ...{ step: 'recovery', row: { company } },
    ...(status === undefined ? { failure: 'refused' } : { status }),
  });
}
