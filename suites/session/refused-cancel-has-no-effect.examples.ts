import type { ExampleParts } from '../../harness/checks/example-exchange.ts';
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
const open = session('cs_1');
const ended = session('cs_1', 'cancelled');
const loggingReference = reference({
  before: { body: session('cs_0', 'open', { last: 'none' }) },
  after: { body: session('cs_0', 'cancelled', { last: 'cancel' }) },
});

/** Examples of session/refused-cancel-has-no-effect. */
export const examples: Examples = {
  passes: [
    example('no effect', ...reference(), ...refused()),
    example('no effect of all wrong cancels of one session', ...group(open)),
    example(
      'a replica learns of the session between two tries of the valid cancel',
      ...reference(),
      ...refused(undefined, 404),
      cancelled('cs_1', 'validCancel'),
    ),
    example(
      'only a valid cancel removes the session',
      ...reference({ after: { status: 404 }, again: { status: 404 } }),
      ...refused(),
    ),
    example(
      'the session counts and dates refused attempts',
      ...reference({
        before: { body: session('cs_0', 'open', { tries: 0, at: '2026-01-01T00:00:00Z' }) },
        after: { body: session('cs_0', 'cancelled', { tries: 1, at: '2026-01-01T00:00:01Z' }) },
      }),
      ...refused(
        [0, 1, 2].map((tries) => session('cs_1', 'open', { tries, at: `2026-01-01T00:00:0${tries}Z` })),
      ),
    ),
    example(
      'the session logs refused attempts',
      ...loggingReference,
      ...refused(['none', 'cancel', 'cancel'].map((last) => session('cs_1', 'open', { last }))),
    ),
  ],
  violates: [
    example(
      'the session logs refused attempts and can no longer be cancelled',
      ...loggingReference,
      ...refused(
        ['none', 'cancel', 'cancel'].map((last) => session('cs_1', 'open', { last })),
        409,
      ),
      ...untouchedSession(),
    ),
    example(
      'a cancel without a key takes effect',
      ...reference(),
      ...refused([open, ended, ended]),
      ...untouchedSession(),
    ),
    example(
      'a cancel without a key deletes the session',
      ...reference(),
      ...refused([open, undefined, undefined]),
      ...untouchedSession(),
    ),
    example(
      'the session shows no change, but can no longer be cancelled',
      ...reference(),
      ...refused(undefined, 409),
      ...untouchedSession(),
    ),
    example(
      'a cancel whose body is not JSON takes effect',
      ...reference(),
      ...refused(),
      created('cs_2'),
      read('cs_2', 'read'),
      refusal('cs_2', 'cancelWithWrongBody', 400),
      read('cs_2', 'read', { body: session('cs_2', 'cancelled') }),
      ...untouchedSession(),
    ),
  ],
  inconclusive: [
    example(
      'untouched sessions change too',
      ...reference(),
      ...refused([open, ended, ended]),
      ...untouchedSession(session('cs_8', 'cancelled')),
    ),
    example(
      'no untouched session could be created for comparison',
      ...reference(),
      ...refused([open, ended, ended]),
    ),
    example('a valid cancel fails', ...reference({ cancel: { status: 409 } })),
    example(
      'nothing distinguishes a cancelled session from an open one',
      ...reference({ after: { body: session('cs_0') }, again: { status: 200, body: session('cs_0') } }),
      ...refused(),
    ),
    example(
      'a cancel without a key is accepted',
      ...reference(),
      created('cs_1'),
      read('cs_1', 'read'),
      refusal('cs_1', 'cancelWithWrongKey', 200),
    ),
    example(
      'no key without the scope is known',
      ...reference(),
      created('cs_1'),
      read('cs_1', 'read'),
      refusal('cs_1', 'cancelWithWrongKey', 401),
      read('cs_1', 'read'),
      cancelled('cs_1', 'validCancel'),
    ),
    example('the session cannot be read', created('cs_0'), read('cs_0', 'referenceRead', { status: 404 })),
    example('no session was created'),
    example('a session was cancelled by one of all wrong cancels', ...group(ended)),
  ],
};

/** All wrong cancels of one session, the read after them, and a valid cancel. */
function group(after: string): readonly Exchange[] {
  return [
    created('cs_1'),
    read('cs_1', 'groupBefore'),
    refusal('cs_1', 'groupCancel', 401),
    refusal('cs_1', 'groupCancel', 403),
    refusal('cs_1', 'groupCancel', 400),
    read('cs_1', 'groupAfter', { body: after }),
    cancelled('cs_1', 'groupValid'),
    read('cs_1', 'groupLast', { body: ended }),
  ];
}

/** A valid cancel of a session, the reads around it, and its repetition. */
function reference(
  parts: {
    readonly before?: ExampleParts;
    readonly cancel?: ExampleParts;
    readonly after?: ExampleParts;
    readonly again?: ExampleParts;
  } = {},
): readonly Exchange[] {
  return [
    created('cs_0'),
    read('cs_0', 'referenceRead', parts.before),
    cancelled('cs_0', 'referenceCancel', parts.cancel),
    read('cs_0', 'referenceReadAfter', parts.after ?? { body: session('cs_0', 'cancelled') }),
    cancelled('cs_0', 'referenceCancelAgain', parts.again ?? { status: 409 }),
  ];
}

function refusal(id: string, step: string, status: number): Exchange {
  const credential = status === 401 ? 'none' : status === 403 ? 'unscoped' : 'scoped';
  return cancelled(id, step, { status, credential, body: '{"code":"refused"}' });
}

/** Two refused cancels of a session, the reads around them, and a valid cancel; `undefined` stands for a 404. */
function refused(
  shown: ReadonlyArray<string | undefined> = [open, open, open],
  validCancel = 200,
): readonly Exchange[] {
  const [first, second, third] = shown.map((body) =>
    read('cs_1', 'read', body === undefined ? { status: 404 } : { body }),
  );
  if (first === undefined || second === undefined || third === undefined) return [];
  return [
    created('cs_1'),
    first,
    refusal('cs_1', 'cancelWithWrongKey', 401),
    second,
    refusal('cs_1', 'cancelWithWrongKey', 403),
    third,
    cancelled('cs_1', 'validCancel', { status: validCancel }),
  ];
}
