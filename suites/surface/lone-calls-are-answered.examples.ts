import { type Examples, example } from '../examples-for-tests.ts';

const page = { body: '<html>' };

export const examples: Examples = {
  passes: {
    'every call answered': ['lone 200', 'lone 200'],
    'a ban that ends': [example('lone 403', page), 'lone 200', 'lone 200'],
  },
  violates: { 'a page between others': ['lone 200', example('lone 403', page), 'lone 200'] },
  inconclusive: {
    'a ban that lasts': [example('lone 403', page), example('lone 403', page)],
    'a limit that is reached': ['lone 200', example('lone 403', page)],
  },
  notApplicable: { 'no page was seen': [] },
};
