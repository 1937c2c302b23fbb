import type { Examples } from '../examples-for-tests.ts';
import {
  cancelOperation,
  played,
  session,
  untouchedSession,
  walkExamples,
} from './example-sessions-for-tests.ts';

const start = 'create A 200, read A 200';
const [key, scope, body] = [
  'cancel A without a key 401',
  'cancel A with a key without the scope 403',
  'cancel A without a body 400',
];
const refused = `${key}, ${scope}, ${body}`;
const end = 'cancel A 200, read A 200 cancelled';
const plain = played(`${start}, ${end}, cancel A 409`, { step: 'plain' });

export const examples: Examples = walkExamples(cancelOperation, {
  passes: {
    'no effect of all wrong cancels of one session': `${start}, ${refused}, read A 200, ${end}`,
    'a wrong cancel fails, and the session is as it was': `${start}, ${key}, cancel A without a body 500, read A 200, ${end}`,
    'no effect seconds later': `${start}, ${refused}, wait 2 s, read A 200, ${end}`,
    'a replica learns of the session between two tries of the valid cancel': `${start}, ${key}, read A 200, cancel A 404, ${end}`,
    'only a valid cancel removes the session': `${start}, ${key}, read A 200, cancel A 200, read A 404`,
    'sessions end by themselves in two seconds, and not before': [
      `${start}, ${refused}, wait 2 s, read A 404, cancel A 404`,
      untouchedSession(session('cs_8', 'expired')),
      `${start}, ${refused}, read A 200, ${end}`,
    ],
  },
  violates: {
    'a cancel without a key takes effect': [
      plain,
      `${start}, ${key}, read A 200 cancelled, cancel A 409`,
      untouchedSession(),
    ],
    'a cancel with a wrong body takes effect, and what follows gets 409': [
      plain,
      `${start}, ${key}, cancel A with a body that is not JSON 400, cancel A without a body 409, wait 2 s, read A 200 cancelled, cancel A 409, read A 200 cancelled`,
      untouchedSession(),
    ],
    'a cancel without a key takes effect seconds later': [
      plain,
      `${start}, ${key}, wait 2 s, read A 200 cancelled, cancel A 409`,
      untouchedSession(),
    ],
    'a cancel without a key deletes the session': [`${start}, ${key}, read A 404`, untouchedSession()],
    'the session shows no change, but can no longer be cancelled': [
      `${start}, ${key}, read A 200, cancel A 409`,
      untouchedSession(),
    ],
    'a cancel without a body begins what a valid one completes': [
      plain,
      `${start}, ${body}, read A 200 cancelling, ${end}, cancel A 409`,
      untouchedSession(),
    ],
    'a cancel without a body takes effect': [
      `${start}, ${key}, read A 200, ${end}`,
      `${start}, ${body}, read A 200 cancelled, cancel A 409`,
      plain,
      untouchedSession(),
    ],
  },
  inconclusive: {
    'untouched sessions change too': [
      plain,
      `${start}, ${key}, read A 200 cancelled`,
      untouchedSession(session('cs_8', 'cancelled')),
    ],
    'no untouched session could be created for comparison': [plain, `${start}, ${key}, read A 200 cancelled`],
    'a valid cancel fails': `${start}, ${key}, read A 200, cancel A 500`,
    'nothing distinguishes a cancelled session from an open one': `${start}, ${key}, read A 200, cancel A 200, read A 200, cancel A 200`,
    'a cancel without a key is accepted': `${start}, cancel A without a key 200, ${end}`,
    'the session cannot be read': 'create A 200, read A 500, cancel A without a key 401',
    'no session was created': [],
  },
});
