import { exampleOperation } from '../../harness/checks/example-exchange.ts';
import { type Examples, stepped } from '../examples-for-tests.ts';

export const examples: Examples = {
  operation: exampleOperation({ method: 'POST', role: 'consumes-login' }),
  passes: {
    'refused with 404': stepped('issued 200, lookAlike 404'),
    'refused with 401, as it is the login that fails': stepped('issued 200, lookAlike 401'),
  },
  violates: {
    accepted: stepped('issued 200, lookAlike 200'),
    'a near miss is accepted': stepped('issued 200, lookAlike 404, nearMiss 200'),
    'accepted, while one that was issued is not': stepped('issued 409, lookAlike 200'),
    '500': stepped('issued 200, lookAlike 500'),
    'no answer': stepped('issued 200, lookAlike reset'),
  },
  inconclusive: {
    'refused like the one that was issued': stepped('issued 400, lookAlike 400'),
    'no captured value in the body': stepped('issued 200'),
  },
};
