import { type ActiveCheck, activeCheck } from '../../harness/checks/check.ts';
import { inconclusive, notTested, pass, violated } from '../../harness/checks/outcomes.ts';
import { control, probe, witness } from '../../harness/checks/step.ts';
import { describeAnswer, hasStatus, isOk } from '../../harness/evidence/answer.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import { unlessInconclusive } from '../../harness/requests/inconclusive-error.ts';
import { untilLate } from '../surface/late-calls.ts';
import { fieldsOf, isShared } from './session-evidence.ts';
import { changesOf, isOfState } from './session-fields.ts';

/** Reads before the cancel and late in the run: so many that each of a few processes answers one, whatever it keeps. */
const reads = { open: 4, late: 6 };
/** Further sessions, each cancelled a moment after the one before: what undoes a cancel may run now and then. */
const others = { count: 4, apartMs: 300 };

export const check: ActiveCheck = activeCheck({
  requirement: 'SESSION-3',
  title: 'a session that was cancelled early in the run is cancelled late in it',
  applies: ({ role }) => role === 'ends-session',
  isLasting: true,
  weight: () => 'medium',
  needs: () => ['scoped-key', 'valid-call'],
  steps: {
    open: witness('reads a session', { times: reads.open }),
    cancel: control('cancels it', { isOwn: true }),
    ended: witness('reads the cancelled session', { times: 2 }),
    cancelOther: witness('cancels another one a moment later', { times: others.count }),
    // A login may bring back what a customer has left.
    login: witness('consumes a login return'),
    late: probe('reads the cancelled session late in the run', { times: reads.late }),
    lateOther: probe('reads the other one late in the run', { times: others.count }),
    // What breaks by then, passive checks see.
    again: witness('cancels the cancelled session late in the run'),
    afterAgain: witness('reads it after that'),
  },
  probe: async (client, steps) => {
    const operation = client.withRole('reads-session');
    const cancelOther = async (): Promise<string> => {
      const sessionId = String(await client.capture('sessionId'));
      await client.call(steps.cancelOther, { parameters: { sessionId } });
      return sessionId;
    };
    const cancelled = await client.sharing(async () => {
      const id = String(await client.capture('sessionId'));
      const read = { operation, parameters: { sessionId: id } };
      await client.repeat(steps.open, read);
      const { answer } = await client.retryEarly(
        client.caseOperation,
        () => client.call(steps.cancel, { parameters: read.parameters }),
        (one) => hasStatus(one, 404, 409),
      );
      if (!isOk(answer)) return undefined;
      await client.repeat(steps.ended, read);
      const ended = await client.each(steps.cancelOther, async () => {
        await client.pause(others.apartMs);
        // A target that refuses another session has been tested with the first one.
        return unlessInconclusive(cancelOther);
      });
      await unlessInconclusive(() =>
        client.repeat(steps.login, { operation: client.withRole('consumes-login') }),
      );
      return { parameters: read.parameters, ended };
    });
    if (cancelled === undefined) return;
    await untilLate(client);
    const { parameters, ended } = cancelled;
    for (const sessionId of ended.filter((id) => id !== undefined)) {
      const shared = client.sharesSession(sessionId) ? { shared: 'session' } : {};
      await client.call(steps.lateOther, { operation, parameters: { sessionId }, row: shared });
    }
    const row = client.sharesSession(parameters.sessionId) ? { shared: 'session' } : {};
    const late = { parameters, row, propagationDelayMs: 0 };
    await client.repeat(steps.late, { ...late, operation });
    await client.repeat(steps.again, late);
    await client.repeat(steps.afterAgain, { ...late, operation });
  },
  evaluate: ({ steps: { open, cancel, ended, late: lateReads, cancelOther, lateOther, afterAgain } }) => {
    const [before, done] = [open.at(-1), cancel.at(-1)];
    if (done === undefined || !isOk(done))
      return inconclusive(`the cancel was answered ${done ? describeAnswer(done) : 'nothing'}`);
    if (lateReads.length === 0) return inconclusive('nothing was sent late in the run');
    const cancelled = cancelOther.filter(isOk).map(({ request }) => request.values['sessionId']?.value);
    const late = [
      ...lateReads,
      ...lateOther.filter(({ request }) => cancelled.includes(request.values['sessionId']?.value)),
    ];
    // A create of another case may have opened it again.
    if (late.some(isShared)) return notTested('the target returned the session to another case as well');
    const shown = (exchanges: readonly Exchange[], pointer: string): ReadonlySet<unknown> =>
      new Set(exchanges.map((one) => fieldsOf(one)?.get(pointer)));
    const later = [...ended, ...lateReads, ...afterAgain].filter(isOk);
    const id = done.request.values['sessionId']?.value;
    // What differs between two reads before the cancel tells nothing, nor does what has more than two values, or names the session.
    const changes = later
      .flatMap((after) => changesOf(fieldsOf(before), fieldsOf(after)).filter(isOfState))
      .filter(
        ({ pointer, before: old }) =>
          old !== id && shown(open, pointer).size === 1 && shown([...open, ...later], pointer).size === 2,
      );
    const reverted = late.flatMap((exchange) => {
      const change = changes.find(({ pointer, before: old }) => fieldsOf(exchange)?.get(pointer) === old);
      return change === undefined ? [] : [{ exchange, pointer: change.pointer }];
    });
    const [found] = reverted.slice(-1);
    if (found === undefined)
      return pass(`late in the run as after the cancel: ${late.map(describeAnswer).join(', ')}`);
    const own = reverted.filter(({ exchange }) => lateReads.includes(exchange));
    const isMixed = own.length > 0 && own.length < lateReads.length;
    return violated({
      statement: 'Some seconds after its cancel, a session was shown as before the cancel',
      expected: '200 with the session as cancelled, or 404',
      actual: `200, and ${found.pointer} as before the cancel, in ${reverted.length} of ${late.length} reads`,
      fix: isMixed
        ? 'Look for a process, a replica or a cache that keeps a copy of the session that the cancel does not clear.'
        : 'Look for a delayed write, a queue or a cache that overwrites the cancelled session with an older copy, or serves one.',
      exchange: found.exchange,
    });
  },
});
