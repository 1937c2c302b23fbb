import { type ActiveCheck, activeCheck } from '../../harness/checks/check.ts';
import { inconclusive, notTested, pass, violated } from '../../harness/checks/outcomes.ts';
import { control, probe, witness } from '../../harness/checks/step.ts';
import { describeAnswer, hasStatus, isOk } from '../../harness/evidence/answer.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import { untilLate } from '../surface/late-calls.ts';
import { fieldsOf, isShared } from './session-evidence.ts';
import { changesOf, isOfState } from './session-fields.ts';

/** Reads of which none may be right: one alone may be of a replica that lags. */
const lateReads = 2;

export const check: ActiveCheck = activeCheck({
  requirement: 'SESSION-3',
  title: 'a session that was cancelled early in the run is cancelled late in it',
  applies: ({ role }) => role === 'ends-session',
  isLasting: true,
  weight: () => 'medium',
  needs: () => ['scoped-key', 'valid-call'],
  steps: {
    open: witness('reads a session', { times: 2 }),
    cancel: control('cancels it', { isOwn: true }),
    ended: witness('reads the cancelled session', { times: 2 }),
    late: probe('reads the cancelled session late in the run', { times: lateReads }),
    // What breaks by then, passive checks see.
    again: witness('cancels the cancelled session late in the run'),
    afterAgain: witness('reads it after that'),
  },
  probe: async (client, steps) => {
    const reads = client.withRole('reads-session');
    const parameters = await client.sharing(async () => {
      const id = String(await client.capture('sessionId'));
      const read = { operation: reads, parameters: { sessionId: id } };
      await client.repeat(steps.open, read);
      const { answer } = await client.retryEarly(
        client.caseOperation,
        () => client.call(steps.cancel, { parameters: read.parameters }),
        (one) => hasStatus(one, 404, 409),
      );
      if (!isOk(answer)) return undefined;
      await client.repeat(steps.ended, read);
      return read.parameters;
    });
    if (parameters === undefined) return;
    await untilLate(client);
    const row = client.sharesSession(parameters.sessionId) ? { shared: 'session' } : {};
    const late = { parameters, row, propagationDelayMs: 0 };
    await client.repeat(steps.late, { ...late, operation: reads });
    await client.repeat(steps.again, late);
    await client.repeat(steps.afterAgain, { ...late, operation: reads });
  },
  evaluate: ({ steps: { open, cancel, ended, late } }) => {
    const [before, after, done] = [open.at(-1), ended.at(-1), cancel.at(-1)];
    if (done === undefined || !isOk(done))
      return inconclusive(`the cancel was answered ${done ? describeAnswer(done) : 'nothing'}`);
    if (late.length === 0) return inconclusive('nothing was sent late in the run');
    // A create of another case may have opened it again.
    if (late.some(isShared)) return notTested('the target returned the session to another case as well');
    // What differs between two reads alike tells nothing.
    const shows = (reads: readonly Exchange[], pointer: string): ReadonlySet<unknown> =>
      new Set(reads.map((one) => fieldsOf(one)?.get(pointer)));
    const changes = changesOf(fieldsOf(before), fieldsOf(after)).filter(
      (change) =>
        isOfState(change) && [open, ended].every((reads) => shows(reads, change.pointer).size === 1),
    );
    const reverted = (exchange: Exchange): string | undefined =>
      changes.find(({ pointer, before: old }) => fieldsOf(exchange)?.get(pointer) === old)?.pointer;
    const pointer = late.every((one) => reverted(one) !== undefined) ? reverted(late[0] ?? done) : undefined;
    const [exchange] = late.slice(-1);
    if (pointer === undefined || exchange === undefined)
      return pass(`cancelled still, late in the run: ${late.map(describeAnswer).join(', ')}`);
    return violated({
      statement: 'A cancelled session was open again some seconds later',
      expected: '200 with the session as cancelled, or 404',
      actual: `200, and ${pointer} as before the cancel`,
      fix: 'Look for what writes an older copy of the session over the cancelled one: a delayed write, a queue or a cache that is written back.',
      exchange,
    });
  },
});
