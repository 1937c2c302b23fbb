import type { UnnamedStep } from '../../harness/checks/step.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import type { CallChanges } from '../../harness/requests/call-spec.ts';
import type { Act, UnnamedAct } from '../../harness/stories/play.ts';
import type { SequenceCall } from './call-sequence.ts';
import { hasStatus, type SessionEvidence } from './session-evidence.ts';

/** What an act on a session can be told. */
interface Details extends Omit<UnnamedAct<SessionEvidence>, keyof UnnamedStep> {
  /** Replaces parts of the valid call. */
  readonly changes?: CallChanges;
  /** Varies the first body of the operation: its texts, or its numbers and links by so much. A create tries all variations. */
  readonly varied?: { readonly texts: (text: string) => string } | { readonly by: readonly number[] };
  /** Sends the valid call where no variation can be made, or all are refused. */
  readonly orPlain?: true;
  /** Milliseconds to wait once the session is there. */
  readonly pauseMs?: (seen: SessionEvidence) => number;
  /** Whether a read may come too early; if absent, where it finds no session that should be open. */
  readonly isEarly?: (seen: SessionEvidence, exchange: Exchange) => boolean;
  /** Sent without retries. */
  readonly once?: true;
  /** Throws `InconclusiveError` where another case has cancelled the session, which an equal create returned to both. */
  readonly own?: true;
  /**
   * Sent even if an equal create returned the session of another letter. Where it returned one that another case has ended,
   * that is cancelled again, so that the exchanges show its end.
   */
  readonly mayBeShared?: true;
}

/** A step of a story about sessions. A session that no create of the story makes is created as set-up. */
export type UnnamedSessionAct = UnnamedStep & Details & { readonly call: SequenceCall };

/** The same with its name. */
export type SessionAct = UnnamedSessionAct & Act<SessionEvidence>;

type Constructor = (session: string, step: UnnamedStep, details?: Details) => UnnamedSessionAct;

const acts =
  (act: SequenceCall['act']): Constructor =>
  (session, step, details = {}) => ({ ...step, ...details, call: { act, session } });

/** Creates a session, which a letter stands for. */
export const create: Constructor = acts('create');

/** Reads a session. */
export const read: Constructor = acts('read');

/** Cancels a session. */
export const cancel: Constructor = acts('cancel');

/** Whether a response is a 200, for acts that the rest of a story needs. */
export function isOk(exchange: Exchange | undefined): boolean {
  return hasStatus(exchange, 200);
}

/** An act so many times. */
export function repeated(times: number, act: SessionAct): readonly SessionAct[] {
  return Array.from({ length: times }, () => act);
}
