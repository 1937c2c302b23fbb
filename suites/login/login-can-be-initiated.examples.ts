import { exampleExchange, exampleOperation } from '../../harness/checks/example-exchange.ts';
import { type Examples, sentExample } from '../examples-for-tests.ts';

const refused = exampleExchange({ step: 'login', status: 409 });

export const examples: Examples = {
  operation: exampleOperation({ method: 'POST', role: 'initiates-login' }),
  passes: {
    initiated: [{ step: 'login', status: 200 }],
    '409 until the login before has ended': [refused, { step: 'login', status: 200 }],
    '409 only for a login that is under way': [refused, { step: 'otherLogin', status: 200 }],
  },
  violates: {
    'a redirect to the login page': [{ step: 'login', status: 302 }],
    'no answer': [{ step: 'login', failure: 'timeout' }],
    '409 whatever login is initiated': [refused, { step: 'otherLogin', status: 409 }],
  },
  inconclusive: {
    '409, and another login cannot be made up': [refused, { step: 'otherLogin', status: 400 }],
    '400 to the body of the target file': [
      sentExample({ step: 'login', role: 'control', status: 400 }, '{}'),
    ],
    '403, which is a matter of scopes': [{ step: 'login', status: 403 }],
    'nothing was sent': [],
  },
};
