import { describeAnswer, statusOf } from '../../harness/evidence/answer.ts';
import type { Violation } from '../../harness/model/evaluation.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import { type CancelMark, cancelMark, matchesCancelDiff } from './cancel-mark.ts';
import { isOfAnother, lastOf, readSession, sessionOf, shownBy, wasThrottled } from './session-evidence.ts';
import { isWord } from './state-words.ts';

/** Labels of the exchanges, by which they are told apart. */
export const labels = {
  modelBefore: 'reads a session to be cancelled rightfully',
  modelCancel: 'cancels it rightfully',
  modelAfter: 'reads it once cancelled',
  modelAgain: 'cancels it rightfully again',
  look: 'reads the session',
  rightful: 'cancels the session rightfully after all',
  broken: 'cancel with a body that is not JSON',
  absent: 'cancel without a body',
} as const;

/** What refused cancels did. */
export interface Effects {
  readonly effects: readonly Violation[];
  /** Cancels that were refused with 401 or 403, of sessions that could be read before and after. */
  readonly evaluated: readonly Exchange[];
  /** Whether anything tells a cancelled session from an open one. */
  readonly observable: boolean;
}

/** What the refused cancels did, measured by what a rightful one does. */
export function effectsOf(exchanges: readonly Exchange[], changing: ReadonlySet<string>): Effects {
  const before = shownBy(lastOf(exchanges, labels.modelBefore));
  const cancelledModel = lastOf(exchanges, labels.modelAfter);
  const after = shownBy(cancelledModel);
  const again = lastOf(exchanges, labels.modelAgain);
  const mark: CancelMark = before && after ? cancelMark(before, after) : new Map();
  const isRefused = again !== undefined && [404, 409].includes(statusOf(again) ?? 0);
  const volatilePointers = new Set([...changing, ...(isRefused ? logsOf(exchanges, mark, changing) : [])]);
  const shows = before && after && matchesCancelDiff(mark, before, after, volatilePointers).length > 0;
  const isGone = cancelledModel !== undefined && statusOf(cancelledModel) === 404;
  const effects: Violation[] = [];
  const evaluated: Exchange[] = [];
  const changed = new Set<string>();
  for (const probe of exchanges.filter(({ role }) => role === 'probe')) {
    const id = sessionOf(probe) ?? '';
    const seen = changeAround(exchanges, probe, mark, volatilePointers);
    if (!isRefusal(probe) || seen === undefined) continue;
    if (!isOfBody(probe)) evaluated.push(probe);
    if (seen === 'unchanged') continue;
    changed.add(id);
    effects.push({
      statement: `a refused cancel has no effect: ${probe.label}`,
      expected: `${describeAnswer(probe)}, and the session as it was`,
      actual: `${describeAnswer(probe)}, and then ${seen}`,
      exchange: probe,
      ...(isOfBody(probe) ? { clause: 'after-400' } : {}),
    });
  }
  effects.push(...lostSessions(exchanges, changed));
  return { effects, evaluated, observable: shows === true || isGone || isRefused };
}

/**
 * Pointers that only tell of attempts: they changed as with a rightful cancel, while others stayed that such a cancel
 * changes, and the session could still be cancelled, of a target that cancels no session twice.
 */
function logsOf(
  exchanges: readonly Exchange[],
  mark: CancelMark,
  volatilePointers: ReadonlySet<string>,
): readonly string[] {
  const words = [...mark].filter(
    ([pointer, { before, after }]) => !volatilePointers.has(pointer) && isWord(before) && isWord(after),
  );
  return exchanges
    .filter((exchange) => exchange.label === labels.rightful && statusOf(exchange) === 200)
    .flatMap((cancel) => {
      const looks = exchanges.filter(
        (exchange) => exchange.operation === readSession && sessionOf(exchange) === sessionOf(cancel),
      );
      const [first, last] = [shownBy(looks[0]), shownBy(looks.at(-1))];
      if (first === undefined || last === undefined) return [];
      const taken = matchesCancelDiff(mark, first, last, volatilePointers);
      return taken.length < words.length ? taken : [];
    });
}

/** Whether it is the body that was wrong, and not the key. */
function isOfBody({ label }: Exchange): boolean {
  return label === labels.broken || label === labels.absent;
}

function isRefusal(probe: Exchange): boolean {
  const status = statusOf(probe);
  return isOfBody(probe) ? status === 400 : status === 401 || status === 403;
}

/** What became of a session over one refused cancel; undefined where that was not seen. */
function changeAround(
  exchanges: readonly Exchange[],
  probe: Exchange,
  mark: CancelMark,
  volatilePointers: ReadonlySet<string>,
): string | undefined {
  const mine = exchanges.filter((exchange) => sessionOf(exchange) === sessionOf(probe));
  const at = mine.indexOf(probe);
  const isRead = ({ operation }: Exchange): boolean => operation === readSession;
  const before = mine.slice(0, at).findLast(isRead);
  const following = mine.slice(at + 1);
  const end = following.findIndex((exchange) => !isRead(exchange));
  const after = (end < 0 ? following : following.slice(0, end)).at(-1);
  const shownBefore = shownBy(before);
  if (shownBefore === undefined || after === undefined || isOfAnother(exchanges, before)) return undefined;
  if (statusOf(after) === 404) return 'a session that is not found';
  const shownAfter = shownBy(after);
  if (shownAfter === undefined || isOfAnother(exchanges, after)) return undefined;
  const taken = matchesCancelDiff(mark, shownBefore, shownAfter, volatilePointers);
  return taken.length === 0 ? 'unchanged' : `a session that shows ${[...taken].sort()[0]} as if cancelled`;
}

/** Sessions that only refused cancels were tried on, and that a rightful one then finds no longer open. */
function lostSessions(exchanges: readonly Exchange[], changed: ReadonlySet<string>): readonly Violation[] {
  return exchanges
    .filter(({ label }) => label === labels.rightful)
    .filter((cancel) => [404, 409].includes(statusOf(cancel) ?? 0) && !wasThrottled(exchanges, cancel))
    .flatMap((cancel) => {
      const refusals = exchanges.filter(
        (probe) => probe.role === 'probe' && sessionOf(probe) === sessionOf(cancel) && isRefusal(probe),
      );
      if (refusals.length === 0 || changed.has(sessionOf(cancel) ?? '')) return [];
      const after400 = refusals.every(isOfBody);
      return [
        {
          statement: 'a session can still be cancelled after a cancel that was refused',
          expected: '200',
          actual: describeAnswer(cancel),
          exchange: cancel,
          ...(after400 ? { clause: 'after-400' } : {}),
        },
      ];
    });
}
