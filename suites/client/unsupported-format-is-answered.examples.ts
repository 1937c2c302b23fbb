import { exampleOperation } from '../../harness/checks/example-exchange.ts';
import type { Examples } from '../examples-for-tests.ts';

export const examples: Examples = {
  passes: {
    'the preference is ignored': [{ step: 'page', status: 200 }],
    'an Accept header that cannot be read is refused with an error body': [{ step: 'asterisk', status: 400 }],
    'a compressed body is refused with an error body': {
      operation: exampleOperation({ method: 'POST', requestSchema: 'ExampleRequest' }),
      exchanges: [{ step: 'compressed', status: 400 }],
    },
  },
  violates: {
    'an undeclared status': [{ step: 'page', status: 406 }],
    'an error without a body': [{ step: 'unreadable', status: 400, body: '' }],
    'a page': [{ step: 'page', status: 200, contentType: 'text/html', body: '<p>Shop</p>' }],
  },
  inconclusive: { 'nothing was sent': [] },
};
