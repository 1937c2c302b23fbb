import { exampleExchange, exampleOperation } from '../../harness/checks/example-exchange.ts';
import type { Examples } from '../../harness/checks/examples.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import { pathValues } from './path-values.ts';
import { againLabel, elsewhereLabel, labelOf } from './probe-path-values.ts';

const product = exampleOperation({ id: 'getPublicProduct', auth: 'none', pathParameters: ['slug'] });

const cancel = exampleOperation({
  id: 'endSession',
  role: 'ends-session',
  method: 'POST',
  pathParameters: ['sessionId'],
});

const known = { value: 'linen-shirt', source: 'target-file' as const };

const control = exampleExchange({ role: 'control', status: 200, values: { slug: known } });

const cancelControl = exampleExchange({ role: 'control', status: 200, values: { sessionId: known } });

/** Examples of resource/any-path-value-is-answered. */
export const examples: Examples = {
  passes: [
    { name: '404', given: { operation: product, exchanges: [control, odd('nul', 404)] } },
    {
      name: '400, and 200 for another spelling of the known value',
      given: { operation: product, exchanges: [control, odd('nul', 400), odd('other-case', 200)] },
    },
    {
      name: 'no answer while the target was out, and 404 later',
      given: {
        operation: product,
        exchanges: [
          control,
          odd('nul', undefined),
          again(undefined, undefined),
          again(undefined, 200),
          odd('nul', 404),
        ],
      },
    },
    {
      name: 'an encoded slash leads to no route, which is answered 401',
      given: {
        operation: product,
        exchanges: [control, odd('encoded-slash', 401), elsewhere(401), again(401, 200)],
      },
    },
    {
      name: '409 to a cancel of the known session in another spelling',
      given: { operation: cancel, exchanges: [cancelControl, odd('nul', 409, 'sessionId')] },
    },
    {
      name: 'what is no path by the grammar is refused before it comes to the operation',
      given: { operation: product, exchanges: [control, odd('malformed', 405), odd('empty', 301)] },
    },
  ],
  violates: [
    {
      name: '500, and the valid call is still answered',
      given: { operation: product, exchanges: [control, odd('nul', 500), again(500, 200)] },
    },
    {
      name: 'no answer each time, and none to the valid call until some time later',
      given: {
        operation: product,
        exchanges: [
          control,
          odd('nul', undefined),
          again(undefined, undefined),
          again(undefined, 200),
          odd('nul', undefined),
        ],
      },
    },
    {
      name: '500 to everything from the value on',
      given: { operation: product, exchanges: [control, odd('nul', 500), again(500, 500)] },
    },
    {
      name: 'a redirect to the normal form',
      given: { operation: product, exchanges: [control, odd('dot-segment', 301), again(301, 200)] },
    },
    {
      name: '403 from a guard in front',
      given: { operation: product, exchanges: [control, odd('sql', 403), again(403, 200)] },
    },
    {
      name: 'a path to a file is forbidden, another unknown route is not',
      given: {
        operation: product,
        exchanges: [control, odd('traversal', 403), elsewhere(404), again(403, 200)],
      },
    },
    {
      name: '409 to a cancel of nothing that is known',
      given: {
        operation: cancel,
        exchanges: [cancelControl, odd('zero', 409, 'sessionId'), again(409, 200)],
      },
    },
    {
      name: 'a random value breaks it, and so does a smaller one',
      given: {
        operation: product,
        exchanges: [
          control,
          unusualValue('slug: random value', 'a%20b%C3%A4', 500),
          again(500, 200),
          { ...unusualValue('slug: smaller value', '%C3%A4', 500), role: 'reduction' },
        ],
      },
    },
    {
      name: 'what is no path by the grammar breaks the target',
      given: { operation: product, exchanges: [control, odd('malformed', 500), again(500, 200)] },
    },
    { name: '500 where no valid call is known', given: { operation: product, exchanges: [odd('nul', 500)] } },
  ],
  inconclusive: [
    {
      name: 'no answer any more',
      given: { operation: product, exchanges: [control, odd('nul', undefined), again(undefined, undefined)] },
    },
    {
      name: '403 from a guard that then shuts out the harness altogether',
      given: { operation: product, exchanges: [control, odd('sql', 403), again(403, 403)] },
    },
    { name: '401 where no valid call is known', given: { operation: product, exchanges: [odd('nul', 401)] } },
    {
      name: '404 for the known values too',
      given: {
        operation: product,
        exchanges: [exampleExchange({ role: 'control', status: 404 }), odd('nul', 404)],
      },
    },
  ],
};

function odd(name: string, status: number | undefined, parameter = 'slug'): Exchange {
  const value = pathValues.find((one) => one.class === name);
  if (value === undefined) throw new Error(`there is no class ${name}`);
  return unusualValue(labelOf(parameter, value.what), value.raw('linen-shirt'), status, parameter);
}

function unusualValue(label: string, raw: string, status: number | undefined, parameter = 'slug'): Exchange {
  const values = { [parameter]: { value: raw, source: 'generated' as const } };
  return exampleExchange(
    status === undefined ? { label, values, failure: 'reset' } : { label, values, status },
  );
}

function again(answer: number | undefined, status: number | undefined): Exchange {
  const label = againLabel(answer === undefined ? 'no answer (reset)' : String(answer));
  return exampleExchange(
    status === undefined
      ? { role: 'witness', label, failure: 'refused' }
      : { role: 'witness', label, status },
  );
}

function elsewhere(status: number): Exchange {
  return exampleExchange({ role: 'witness', label: elsewhereLabel('slug'), status });
}
