import type { Examples } from '../examples-for-tests.ts';
import {
  createOperation,
  played,
  session,
  untouchedSession,
  walkExamples,
} from './example-sessions-for-tests.ts';

const [one, two] = ['with another body', 'with a much larger body'];
const start = `create A 200, cancel A 200, create B ${one} 200, read B 200`;
const both = `${start}, create C ${two} 200, read C 200, read B 200`;
const ended = `${both}, cancel B 200, read B 200 cancelled`;
const whole = `${ended}, read C 200, cancel C 200`;

/** Two creates at once that ask for baskets and show some. */
function atOnce(
  shown: readonly [string, string],
  [idOfD, idOfE]: readonly [string, string] = ['cs_i9j8k7l6', 'cs_m5n4o3p2'],
): ReturnType<typeof played> {
  const calls = [`create B ${one} 200`, 'create D 200', `create E ${one} at the same time 200`] as const;
  const body = (id: string, basket: string): string => session(id, 'open', { basket });
  return played(`create A 200, cancel A 200, ${calls[0]}, read B 200, ${calls.slice(1).join(', ')}`, {
    ids: { A: 'cs_a1b2c3d4', B: 'cs_e5f6g7h8' },
    bodies: {
      'create A 200': body('cs_a1b2c3d4', ''),
      [calls[0]]: body('cs_e5f6g7h8', one),
      'read B 200': body('cs_e5f6g7h8', one),
      [calls[1]]: body(idOfD, shown[0]),
      [calls[2]]: body(idOfE, shown[1]),
    },
    sent: { [calls[1]]: '{"basket":"","reference":"of this call alone"}' },
  });
}

export const examples: Examples = walkExamples(createOperation, {
  passes: {
    'two independent sessions': played(whole),
    'creates at once get their own answers': [played(whole), atOnce(['', `${one} at the same time`])],
    'the other session is as it was seconds later': `${ended}, read C 200, wait 2 s, read C 200, cancel C 200`,
    // STATUS-1 evaluates the crash.
    'creates at once crash': `${whole}, create D 500, create E ${one} at the same time 200`,
  },
  violates: {
    'cancelling the first cancels the second': [
      `${ended}, read C 200 cancelled, cancel C 409`,
      untouchedSession(),
    ],
    'cancelling the first cancels the second later': [
      `${ended}, read C 200, wait 2 s, read C 200 cancelled, cancel C 409`,
      untouchedSession(),
    ],
    'the second can no longer be cancelled': [`${ended}, read C 200, cancel C 409`, untouchedSession()],
    'a session gets the id of a cancelled one': played(start, {
      ids: { A: 'cs_a1b2c3d4', B: 'cs_a1b2c3d4' },
    }),
    'creates at once get one id': atOnce(['', `${one} at the same time`], ['cs_i9j8k7l6', 'cs_i9j8k7l6']),
    'a create gets the answer of another one at once': atOnce([one, `${one} at the same time`]),
    'different creates return one session': played(`${start}, create C ${two} 200, read C 200`, {
      ids: { B: 'cs_a1b2c3d4', C: 'cs_a1b2c3d4' },
    }),
    'a different create ends the first session': `${start}, create C ${two} 200, read C 200, read B 200 replaced, cancel B 409`,
  },
  inconclusive: {
    'equal creates return one session': played('create B 200, read B 200, create C 200, read C 200', {
      ids: { B: 'cs_a1b2c3d4', C: 'cs_a1b2c3d4' },
    }),
    'an equal create replaces the first session':
      'create B 200, read B 200, create C 200, read C 200, read B 200 replaced, cancel B 409, cancel C 200',
    'an equal create is refused while a session is open': 'create B 200, read B 200, create C 409',
    'untouched sessions change too': [
      `${ended}, read C 200, cancel C 409`,
      untouchedSession(session('cs_8', 'cancelled')),
    ],
    'the first session cannot be cancelled': `${both}, cancel B 500`,
    'the first session cannot be read': 'create B 200, read B 404',
    'no session was created': [],
  },
  notApplicable: {
    'a different create is refused while a session is open': `${start}, create C ${two} 409`,
  },
});
