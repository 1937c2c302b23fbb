import { exampleExchange, exampleOperation } from '../../harness/checks/example-exchange.ts';
import type { Examples } from '../examples-for-tests.ts';
import { sentExample } from '../examples-for-tests.ts';

const operation = exampleOperation({ method: 'POST', role: 'initiates-login' });

const refused = exampleExchange({ step: 'login', status: 409 });

/** Examples of login/login-can-be-initiated. */
export const examples: Examples = {
  passes: [
    {
      name: 'initiated',
      given: { operation, exchanges: [exampleExchange({ step: 'login', status: 200 })] },
    },
    {
      name: '409 until the login before has ended',
      given: { operation, exchanges: [refused, exampleExchange({ step: 'login', status: 200 })] },
    },
    {
      name: '409 only for a login that is under way',
      given: { operation, exchanges: [refused, exampleExchange({ step: 'otherLogin', status: 200 })] },
    },
  ],
  violates: [
    {
      name: 'a redirect to the login page',
      given: { operation, exchanges: [exampleExchange({ step: 'login', status: 302 })] },
    },
    {
      name: 'no answer',
      given: { operation, exchanges: [exampleExchange({ step: 'login', failure: 'timeout' })] },
    },
    {
      name: '409 whatever login is initiated',
      given: { operation, exchanges: [refused, exampleExchange({ step: 'otherLogin', status: 409 })] },
    },
  ],
  inconclusive: [
    {
      name: '409, and another login cannot be made up',
      given: { operation, exchanges: [refused, exampleExchange({ step: 'otherLogin', status: 400 })] },
    },
    {
      name: '400 to the body of the target file',
      given: {
        operation,
        exchanges: [sentExample({ step: 'login', role: 'control', status: 400 }, '{}')],
      },
    },
    {
      name: '403, which is a matter of scopes',
      given: { operation, exchanges: [exampleExchange({ step: 'login', status: 403 })] },
    },
    { name: 'nothing was sent', given: { operation, exchanges: [] } },
  ],
};
