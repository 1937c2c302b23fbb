/**
 * A decision of an attempt that does not follow from its responses alone, but from the time, the load or other cases.
 *
 * - `early`: the call came too early, and is repeated; about an exchange
 * - `throttled`: the call was throttled, and is repeated; about an exchange
 * - `overloaded`: the status is a sign of overload, and the call is repeated; about an exchange
 * - `new connection`: the status may come from the connection, and the call is repeated on another; about an exchange
 * - `ended`: the run has ended the session before; about the id of the session
 * - `shared`: a create of another case has returned the session, too; about its id. Or another call has taken a value, and
 *   it is taken again; about an exchange
 * - `blocked`: a valid call of one of the first operations was answered with a page under 403; about the operation
 * - `opened`: the run has created a session before
 * - `noticed`: other cases have shown that the target notices a value of a call, or any of a factor, or a factor at several
 *   operations; about the factor, and what of it
 * - `room`: the budget has room for optional requests
 */
export type Question =
  | 'early'
  | 'throttled'
  | 'overloaded'
  | 'new connection'
  | 'ended'
  | 'shared'
  | 'blocked'
  | 'opened'
  | 'noticed'
  | 'room';

/** Decisions that differ from the usual ones, by question and subject, such as `early getShop/auth/key/1.4`. */
export type RecordedDecisions = Readonly<Record<Decision, boolean>>;

/** A question and its subject. @pattern ^(early|throttled|overloaded|new connection|ended|shared|blocked|opened|noticed|room)[ ] */
type Decision = string;
