import { exampleOperation } from '../../harness/checks/example-exchange.ts';
import { type Examples, example, stepped } from '../examples-for-tests.ts';

export const examples: Examples = {
  operation: exampleOperation({ method: 'POST', role: 'initiates-login' }),
  passes: {
    initiated: stepped('login 200'),
    '409 until the login before has ended': stepped('login 409, login 200'),
    '409 only for a login that is under way': stepped('login 409, otherLogin 200'),
  },
  violates: {
    'a redirect to the login page': stepped('login 302'),
    'no answer': stepped('login reset'),
    '409 whatever login is initiated': stepped('login 409, otherLogin 409'),
  },
  inconclusive: {
    '409, and another login cannot be made up': stepped('login 409, otherLogin 400'),
    '400 to the body of the target file': [example('login 400', { role: 'control', sent: '{}' })],
    '403, which is a matter of scopes': stepped('login 403'),
    'nothing was sent': [],
  },
};
