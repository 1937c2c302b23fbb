import { type Examples, example } from '../examples-for-tests.ts';

const [list, shop] = [{ body: '{"categories":[]}' }, { body: '{"platform":"shop"}' }];
const valid = example('valid 200', list);
const other = example('other 200', shop);

export const examples: Examples = {
  passes: {
    'answered as usual': [valid, other, example('behind 200', list)],
    'hints of the next response within a 200': [
      valid,
      other,
      example('behind', { body: 'HTTP/1.1 103 Early Hints' }),
    ],
  },
  notApplicable: { 'blocked by a firewall': [valid, example('behind 403', { body: '<html>' })] },
  violates: {
    'the answer of another call': [valid, example('other 200', list), example('behind 200', shop)],
    refused: [valid, other, 'behind 400'],
  },
  inconclusive: { 'nothing was sent': [], 'the valid call alone': [valid] },
};
