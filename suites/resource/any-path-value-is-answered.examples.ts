import type { Evidence } from '../../harness/checks/check.ts';
import { type ExampleParts, exampleOperation } from '../../harness/checks/example-exchange.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import { type Examples, example, stepped } from '../examples-for-tests.ts';
import { pathValues } from './path-values.ts';

const known = { value: 'linen-shirt', source: 'target-file' } as const;

export const examples: Examples = {
  operation: exampleOperation({ id: 'getPublicProduct', auth: 'none', pathParameters: ['slug'] }),
  passes: {
    'a redirect of a dot segment to its normal form': tried('dot-segment 301, again 200'),
    'a firewall forbids a path to a file': tried('traversal 403, again 200'),
    '404': tried('nul 404'),
    '400, and 200 for another spelling of the known value': tried('nul 400, other-case 200'),
    'no answer while the target was out, and 404 later': tried('nul reset, again reset, again 200, nul 404'),
    'an encoded slash leads to no route, which is answered 401': tried('encoded-slash 401, again 200'),
    '409 to a cancel of the known session in another spelling': ofCancel('nul 409'),
    'what is no path by the grammar is refused before it comes to the operation':
      tried('malformed 405, empty 301'),
  },
  violates: {
    'a path to a file shows the file': tried('traversal 200, again 200', {
      body: 'root:x:0:0:root:/root:/bin/bash\n',
      contentType: 'text/plain',
    }),
    '500, and the valid call is still answered': tried('nul 500, again 200'),
    'no answer each time, and none to the valid call until some time later': tried(
      'nul reset, again reset, again 200, nul reset',
    ),
    '500 to everything from the value on': tried('nul 500, again 500'),
    '403 from a guard in front': tried('sql 403, again 200'),
    '409 to a cancel of nothing that is known': ofCancel('zero 409, again 200'),
    'a random value breaks it, and so does a smaller one': [
      example('valid 200', { values: { slug: known } }),
      sent('random 500', 'random', 'a%20b%C3%A4'),
      again('500 200'),
      sent('smaller 500', 'smaller', '%C3%A4'),
    ],
    'what is no path by the grammar breaks the target': tried('malformed 500, again 200'),
    '500 where no valid call is known': tried('nul 500').slice(1),
    'the known slug is not found with its letters encoded': tried('encoded-known 404'),
  },
  inconclusive: {
    'no answer any more': tried('nul reset, again reset'),
    '403 from a guard that then shuts out the harness altogether': tried('sql 403, again 403'),
    '401 where no valid call is known': tried('nul 401').slice(1),
    '404 for the known values too': [...stepped('valid 404'), ...tried('nul 404').slice(1)],
  },
};

/** The valid call, and what followed: values by their names, and the valid call again. */
function tried(words: string, parts: ExampleParts = {}, parameter = 'slug'): readonly Exchange[] {
  let company = '';
  const followed = words.split(', ').map((one) => {
    const [name = '', answer = ''] = one.split(' ');
    if (name === 'again') return again(`${company} ${answer}`);
    const value = pathValues.find(({ id }) => id === name);
    if (value === undefined) throw new Error(`there is no value ${name}`);
    company = answer;
    return sent(`value ${answer}`, name, value.raw(known.value), parts, parameter);
  });
  return [example('valid 200', { values: { [parameter]: known } }), ...followed];
}

function ofCancel(words: string): Pick<Evidence, 'operation' | 'exchanges'> {
  const parts = { method: 'POST', role: 'ends-session', pathParameters: ['sessionId'] } as const;
  return { operation: exampleOperation(parts), exchanges: tried(words, {}, 'sessionId') };
}

function sent(
  words: string,
  id: string,
  raw: string,
  parts: ExampleParts = {},
  parameter = 'slug',
): Exchange {
  const values = { [parameter]: { value: raw, source: 'generated' } } as const;
  return example(words, { row: { [parameter]: id }, values, ...parts });
}

/** The valid call after an answer, and its own. */
function again(answers: string): Exchange {
  const [before = '', answer = ''] = answers.split(' ');
  const company = before === 'reset' ? 'no answer (reset)' : before;
  return example(`recovery ${answer}`, { row: { company } });
}
