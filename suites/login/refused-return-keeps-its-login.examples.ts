import { exampleExchange, exampleOperation } from '../../harness/checks/example-exchange.ts';
import type { Examples } from '../../harness/checks/examples.ts';
import type { Exchange } from '../../harness/model/exchange.ts';

const operation = exampleOperation({ method: 'POST', role: 'consumes-login', requestSchema: 'Return' });

/** Examples of login/refused-return-keeps-its-login. */
export const examples: Examples = {
  passes: [{ name: '200 after the refusals', given: { operation, exchanges: returns(401, 400, 200, 200) } }],
  violates: [
    { name: '409 after the refusals', given: { operation, exchanges: returns(401, 400, 409, 200) } },
    { name: '400 after the refusals', given: { operation, exchanges: returns(401, 400, 400, 200) } },
  ],
  inconclusive: [
    { name: 'no return is accepted', given: { operation, exchanges: returns(401, 400, 404, 404) } },
    { name: 'the cut return was accepted', given: { operation, exchanges: returns(401, 200, 409, 200) } },
    { name: 'nothing was sent', given: { operation, exchanges: [] } },
  ],
};

function returns(...statuses: readonly number[]): readonly Exchange[] {
  const steps = ['withoutKey', 'malformed', 'afterRefusals', 'undisturbed'];
  return steps.map((step, at) => exampleExchange({ step, label: step, status: statuses[at] ?? 0 }));
}
