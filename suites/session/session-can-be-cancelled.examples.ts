import type { ExampleParts } from '../../harness/checks/example-exchange.ts';
import type { Examples } from '../../harness/checks/examples.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import {
  cancelled,
  cancelOperation,
  created,
  examplesOf,
  read,
  readOperation,
  session,
  untouchedSession,
} from './example-sessions-for-tests.ts';

const onCancel = examplesOf(cancelOperation);
const onRead = examplesOf(readOperation);
/** Two creates with different bodies that return a cancelled session, and what comes of it. */
function returned(shown: string, common: object = {}): readonly Exchange[] {
  const create = (basket: number, parts: ExampleParts = {}): Exchange =>
    created('cs_1', { ...parts, body: session('cs_1', shown) }, JSON.stringify({ size: basket, ...common }));
  return [
    create(1),
    create(4, { role: 'probe', step: 'createOther' }),
    read('cs_1', 'readReturned', { body: session('cs_1', 'cancelled') }),
    cancelled('cs_1', 'cancelReturned', { status: 409 }),
    read('cs_1', 'readReturnedAgain', { body: session('cs_1', 'cancelled') }),
    read('cs_1', 'readFresh', { body: session('cs_1', 'cancelled') }),
    cancelled('cs_1', 'cancelFresh', { status: 409 }),
  ];
}

const start = [created('cs_1'), read('cs_1', 'readFresh')];

/** Examples of session/session-can-be-cancelled. */
export const examples: Examples = {
  passes: [
    onCancel(
      'a second cancel gets 409',
      ...start,
      cancelled('cs_1', 'cancelFresh'),
      cancelled('cs_1', 'cancelAgain', { status: 409 }),
    ),
    onCancel(
      'a cancel can be repeated',
      ...start,
      cancelled('cs_1', 'cancelFresh'),
      cancelled('cs_1', 'cancelAgain'),
    ),
    onRead(
      'the cancelled session is read',
      ...start,
      cancelled('cs_1', 'cancelFresh'),
      read('cs_1', 'readCancelled', { body: session('cs_1', 'cancelled') }),
    ),
    onRead(
      'the cancelled session is gone',
      ...start,
      cancelled('cs_1', 'cancelFresh'),
      read('cs_1', 'readCancelled', { status: 404 }),
    ),
  ],
  violates: [
    onCancel('every create returns a session that was cancelled, as if it were open', ...returned('open')),
    onCancel('every create returns a session that was cancelled, and shows it', ...returned('cancelled')),
    onCancel(
      'a second cancel crashes',
      ...start,
      cancelled('cs_1', 'cancelFresh'),
      cancelled('cs_1', 'cancelAgain', { status: 500 }),
    ),
    onCancel(
      'the cancel of a fresh session gets 409, and the session stays open',
      ...start,
      cancelled('cs_1', 'cancelFresh', { status: 409 }),
      read('cs_1', 'readRefused'),
      ...untouchedSession(),
    ),
    onCancel(
      'a cancel takes effect, but gets 409',
      ...start,
      cancelled('cs_1', 'cancelFresh', { status: 409 }),
      read('cs_1', 'readRefused', { body: session('cs_1', 'cancelled') }),
      ...untouchedSession(),
    ),
    onCancel(
      'the cancel of a fresh session gets 400',
      ...start,
      cancelled('cs_1', 'cancelFresh', { status: 400 }),
    ),
    onCancel(
      'a read after two cancels gets 410',
      ...start,
      cancelled('cs_1', 'cancelFresh'),
      cancelled('cs_1', 'cancelAgain', { status: 409 }),
      read('cs_1', 'readCancelled', { status: 410 }),
    ),
    onRead(
      'a read of the cancelled session gets 409',
      ...start,
      cancelled('cs_1', 'cancelFresh'),
      read('cs_1', 'readCancelled', { status: 409 }),
    ),
  ],
  inconclusive: [
    onCancel('the creates have an order in common', ...returned('open', { order: 'o-1' })),
    onCancel(
      'equal creates return the session that was cancelled',
      ...start,
      cancelled('cs_1', 'cancelFresh', { status: 409 }),
      read('cs_1', 'readRefused'),
      created('cs_1'),
      read('cs_1', 'untouchedFirst'),
      read('cs_1', 'untouchedAgain'),
      created('cs_1'),
      read('cs_1', 'untouchedLast'),
    ),
    onCancel(
      'a create replaces the previous session',
      ...start,
      cancelled('cs_1', 'cancelFresh', { status: 409 }),
      read('cs_1', 'readRefused', { body: session('cs_1', 'replaced') }),
      ...untouchedSession(session('cs_8', 'replaced')),
    ),
    onCancel(
      'another case replaces both the session and the untouched session',
      ...start,
      cancelled('cs_1', 'cancelFresh', { status: 409 }),
      read('cs_1', 'readRefused', { body: session('cs_1', 'replaced') }),
      ...untouchedSession(session('cs_8', 'replaced')).flatMap((one) =>
        one.step === 'untouchedAgain'
          ? [one, read('cs_8', 'untouchedAgain', { body: session('cs_8', 'replaced') })]
          : [one],
      ),
    ),
    onCancel(
      'the session can be neither cancelled nor read',
      created('cs_1'),
      read('cs_1', 'readFresh', { status: 404 }),
      cancelled('cs_1', 'cancelFresh', { status: 404 }),
      read('cs_1', 'readRefused', { status: 404 }),
    ),
    onCancel(
      'a throttled cancel may have taken effect',
      ...start,
      cancelled('cs_1', 'cancelFresh', { status: 429 }),
      cancelled('cs_1', 'cancelFresh', { status: 409 }),
      read('cs_1', 'readRefused'),
      ...untouchedSession(),
    ),
    onCancel('no session was created', created('cs_1', { status: 409 })),
    onRead(
      'no cancelled session exists to be read',
      ...start,
      cancelled('cs_1', 'cancelFresh', { status: 500 }),
    ),
    onRead(
      'no session can be read',
      created('cs_1'),
      read('cs_1', 'readFresh', { status: 500 }),
      cancelled('cs_1', 'cancelFresh'),
      read('cs_1', 'readCancelled', { status: 500 }),
    ),
  ],
};
