import { exampleOperation } from '../../harness/checks/example-exchange.ts';
import { type Examples, example } from '../examples-for-tests.ts';

export const examples: Examples = {
  passes: {
    'the preference is ignored': ['page 200'],
    'an Accept header that cannot be read is refused with an error body': ['asterisk 400'],
    'a compressed body is refused with an error body': {
      operation: exampleOperation({ method: 'POST', requestSchema: 'ExampleRequest' }),
      exchanges: ['compressed 400'],
    },
  },
  violates: {
    'an undeclared status': ['page 406'],
    'an error without a body': [example('unreadable 400', { body: '' })],
    'a page': [example('page 200', { contentType: 'text/html', body: '<p>Shop</p>' })],
  },
  inconclusive: { 'nothing was sent': [] },
};
