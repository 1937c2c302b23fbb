import { control, namedSteps, probe, reduction, type Step } from '../../harness/checks/step.ts';
import type { CaseClient } from '../../harness/requests/case-client.ts';
import type { Credential } from '../../harness/requests/key-ring.ts';
import {
  type CallSequence,
  describeSequence,
  labelOfCall,
  type SequenceCall,
  simplerSequences,
  type WrongCredential,
} from './call-sequence.ts';
import { callsInSequences } from './call-sequences.ts';
import type { SessionClient } from './session-client.ts';

/** Maximum requests of one attempt for simplifying its sequences. */
const simplifyingRequests = 60;

/** Longest pause of a comparison. */
const longestPauseMs = 5_000;

type SequenceStep =
  | 'call'
  | 'simplifiedCall'
  | 'otherCreate'
  | 'comparisonCreate'
  | 'comparisonRead'
  | 'comparisonCancel';

/** Steps of a probe that sends call sequences; the labels of calls follow from the sequences. */
export const sequenceSteps: Readonly<Record<SequenceStep, Step>> = namedSteps({
  call: probe('call of a sequence', { times: callsInSequences }),
  simplifiedCall: reduction('call of a simplified sequence'),
  otherCreate: control('creates another session first', { followUp: true }),
  comparisonCreate: control('creates a session for comparison', { followUp: true }),
  comparisonRead: control('reads the session for comparison after a pause', { followUp: true }),
  comparisonCancel: control('cancels the session for comparison', { followUp: true }),
});

/** Sends call sequences, each on fresh sessions and one call after the other. */
export class SequenceRunner {
  readonly #client: CaseClient;
  readonly #sessions: SessionClient;
  readonly #credentials: Readonly<Record<WrongCredential, Credential>>;
  readonly #hasUnscoped: boolean;

  constructor(client: CaseClient, sessions: SessionClient) {
    this.#client = client;
    this.#sessions = sessions;
    const { none, invalid, unscoped } = client.keys;
    const [unknown = none] = invalid;
    this.#credentials = { none, invalid: unknown, unscoped: unscoped ?? unknown };
    this.#hasUnscoped = unscoped !== undefined;
  }

  /** Sends a sequence, then cancels the sessions that it leaves open. Throws `InconclusiveError`. */
  async send(sequence: CallSequence, step: Step = sequenceSteps.call): Promise<void> {
    const ids = new Map<string, string>();
    try {
      for (const wanted of sequence) {
        const call = this.#withKnownKey(wanted);
        const named = { ...step, label: labelOfCall(call), row: call };
        const id = ids.get(call.session);
        if (call.act === 'create') {
          const created = await this.#sessions.createIn(named);
          if (created === undefined) continue;
          ids.set(call.session, created);
          await this.#sessions.cancelIfEndedBefore(created);
        } else if (id !== undefined) {
          await this.#use(id, call, named);
        }
      }
    } finally {
      await this.#sessions.cancelOpen();
    }
  }

  /** Shows what happens to a session that is created, left alone for a while, and then read and cancelled. */
  async compare(pauseMs: number, when?: 'after another create'): Promise<void> {
    if (when !== undefined) await this.#sessions.createIn(sequenceSteps.otherCreate);
    const id = await this.#sessions.createIn(sequenceSteps.comparisonCreate);
    if (id !== undefined) {
      await this.#client.pause(Math.min(pauseMs, longestPauseMs));
      await this.#sessions.read(id, sequenceSteps.comparisonRead);
      await this.#sessions.cancel(id, sequenceSteps.comparisonCancel);
    }
    await this.#sessions.cancelOpen();
  }

  /**
   * Sends simpler forms of a sequence while `isStillWrong` holds for the exchanges from an index on. `firstIndex` is that
   * of the first exchange of this attempt that simplifies a sequence.
   */
  async simplify(
    sequence: CallSequence,
    firstIndex: number,
    isStillWrong: (fromIndex: number) => boolean,
  ): Promise<void> {
    await this.#client.smallest(sequence, {
      smaller: simplerSequences,
      keyOf: describeSequence,
      budget: simplifyingRequests,
      stillFails: async (simpler) => {
        const sent = this.#client.exchanges.length;
        if (sent + simpler.length > firstIndex + simplifyingRequests) return false;
        await this.send(simpler, sequenceSteps.simplifiedCall);
        return isStillWrong(sent);
      },
    });
  }

  /** The call with an invalid key, where the target file names no key without the scope. */
  #withKnownKey(call: SequenceCall): SequenceCall {
    const isUnknown = call.credential === 'unscoped' && !this.#hasUnscoped;
    return isUnknown ? { ...call, credential: 'invalid' } : call;
  }

  async #use(id: string, { act, credential: wrong }: SequenceCall, step: Step): Promise<void> {
    const changes = wrong === undefined ? {} : { credential: this.#credentials[wrong] };
    const mayBeEarly = wrong === undefined && this.#sessions.isOpen(id);
    if (act === 'read' && mayBeEarly) await this.#sessions.read(id, step);
    else if (act === 'read') await this.#sessions.readOnce(id, step, changes);
    else await this.#sessions.cancel(id, step, changes);
  }
}
