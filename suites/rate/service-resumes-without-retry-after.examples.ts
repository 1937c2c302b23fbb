import type { Exchange } from '../../harness/model/exchange.ts';
import { type Examples, example } from '../examples-for-tests.ts';

const at = (second: number, status: number, operation = 'readExample'): Exchange =>
  example(`${status}`, { operation, second });

export const examples: Examples = {
  passes: { 'served again': [at(0, 429), at(1, 200)] },
  violates: { 'throttled for a minute': [at(0, 200), at(1, 429), at(62, 429)] },
  inconclusive: {
    'throttled to the end of a short run': [at(0, 429), at(5, 429)],
    'served again elsewhere': [at(0, 429), at(5, 200, 'getPublicBootstrap')],
  },
  notApplicable: { 'never throttled': [at(0, 200)] },
};
