import type { Examples } from '../../harness/checks/examples.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import {
  cancelled,
  cancelOperation,
  created,
  examplesOf,
  read,
  session,
  untouchedSession,
} from './example-sessions-for-tests.ts';

const example = examplesOf(cancelOperation);

/** What a session shows. */
type Shown = Readonly<Record<string, unknown>>;
const open: Shown = { state: 'open' };
const ended: Shown = { state: 'cancelled' };

/** The parts of a trial; `gone` stands for a 404 to a read. */
interface Trial {
  readonly before?: Shown;
  readonly after?: Shown | 'gone';
  readonly last?: Shown | 'gone';
  readonly validCancels?: readonly number[];
}

/** Wrong cancels of a session with these statuses, the reads around them, and a valid cancel. */
function trial(id: string, statuses: readonly number[], parts: Trial = {}): readonly Exchange[] {
  const { before = open, after = before, last = ended, validCancels = [200] } = parts;
  const shows = (step: string, shown: Shown | 'gone'): Exchange =>
    read(id, step, shown === 'gone' ? { status: 404 } : { body: session(id, 'open', shown) });
  const isOpen = after !== 'gone' && !statuses.includes(200);
  return [
    created(id),
    shows('before', before),
    ...statuses.map((status) => {
      const credential = status === 400 ? 'scoped' : status === 403 ? 'unscoped' : 'none';
      const row = status === 400 ? { body: 'none' } : { credential };
      return cancelled(id, 'wrongCancel', { status, credential, row, body: '{"code":"refused"}' });
    }),
    shows('after', after),
    ...(isOpen ? validCancels.map((status) => cancelled(id, 'validCancel', { status })) : []),
    ...(isOpen && validCancels.includes(200) ? [shows('last', last)] : []),
  ];
}

/** Joined cancels that leave open whether one had an effect, and a valid cancel alone. */
function reference(parts: Trial = {}, again = 409): readonly Exchange[] {
  return [
    ...trial('cs_9', [401, 403, 400], { after: ended }),
    ...trial('cs_0', [], parts),
    cancelled('cs_0', 'cancelAgain', { status: again }),
  ];
}

const logging = reference({ before: { last: 'none' }, last: { state: 'cancelled', last: 'cancel' } });
const logged: Trial = { before: { last: 'none' }, after: { last: 'cancel' } };

/** Examples of session/refused-cancel-has-no-effect. */
export const examples: Examples = {
  passes: [
    example('no effect of all wrong cancels of one session', ...trial('cs_1', [401, 403, 400])),
    example('no effect of single ones', ...reference(), ...trial('cs_1', [401]), ...trial('cs_2', [403])),
    example(
      'a replica learns of the session between two tries of the valid cancel',
      ...reference(),
      ...trial('cs_1', [401], { validCancels: [404, 200] }),
    ),
    example(
      'only a valid cancel removes the session',
      ...reference({ last: 'gone' }, 404),
      ...trial('cs_1', [401], { last: 'gone' }),
    ),
    example(
      'the session counts and dates refused attempts',
      ...reference({
        before: { tries: 0, at: '2026-01-01T00:00:00Z' },
        last: { state: 'cancelled', tries: 1, at: '2026-01-01T00:00:01Z' },
      }),
      ...trial('cs_1', [401], {
        before: { tries: 0, at: '2026-01-01T00:00:00Z' },
        after: { tries: 1, at: '2026-01-01T00:00:01Z' },
      }),
    ),
    example('the session logs refused attempts', ...logging, ...trial('cs_1', [401], logged)),
  ],
  violates: [
    example(
      'the session logs refused attempts and can no longer be cancelled',
      ...logging,
      ...trial('cs_1', [401], { ...logged, validCancels: [409] }),
      ...untouchedSession(),
    ),
    example(
      'a cancel without a key takes effect',
      ...reference(),
      ...trial('cs_1', [401], { after: ended, validCancels: [409] }),
      ...untouchedSession(),
    ),
    example(
      'a cancel without a key deletes the session',
      ...reference(),
      ...trial('cs_1', [401], { after: 'gone' }),
      ...untouchedSession(),
    ),
    example(
      'the second cancel without a good key takes effect',
      ...reference(),
      ...trial('cs_1', [401]),
      ...trial('cs_2', [403]),
      ...trial('cs_3', [401, 403], { after: ended, validCancels: [409] }),
      ...untouchedSession(),
    ),
    example(
      'the session shows no change, but can no longer be cancelled',
      ...reference(),
      ...trial('cs_1', [401], { validCancels: [409] }),
      ...untouchedSession(),
    ),
    example(
      'a cancel whose body is not JSON takes effect',
      ...reference(),
      ...trial('cs_1', [401]),
      ...trial('cs_2', [400], { after: ended, validCancels: [409] }),
      ...untouchedSession(),
    ),
  ],
  inconclusive: [
    example(
      'untouched sessions change too',
      ...reference(),
      ...trial('cs_1', [401], { after: ended }),
      ...untouchedSession(session('cs_8', 'cancelled')),
    ),
    example(
      'no untouched session could be created for comparison',
      ...reference(),
      ...trial('cs_1', [401], { after: ended }),
    ),
    example('a valid cancel fails', ...reference({ validCancels: [409] })),
    example(
      'nothing distinguishes a cancelled session from an open one',
      ...reference({ last: open }, 200),
      ...trial('cs_1', [401], { last: open }),
    ),
    example('a cancel without a key is accepted', ...reference(), ...trial('cs_1', [200])),
    example(
      'one of the cancels without a good key is accepted',
      ...reference(),
      ...trial('cs_1', [200]),
      ...trial('cs_2', [403]),
    ),
    example('the session cannot be read', created('cs_0'), read('cs_0', 'before', { status: 404 })),
    example('no session was created'),
  ],
};
