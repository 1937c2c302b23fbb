import { expect, it } from 'vitest';
import { SessionTracker } from './session-tracker.ts';

it('lists what was opened and not closed, oldest first and once', () => {
  const sessions = new SessionTracker();
  const [first, second] = [
    { check: 'session/a', operation: 'one' },
    { check: 'session/a', operation: 'two' },
  ];
  for (const id of ['a', 'b', 'c', 'a']) sessions.opened(id, first);
  sessions.closed('b');
  sessions.closed('unknown');
  expect(sessions.list()).toEqual(['a', 'c']);
  sessions.opened('b', second);
  expect(sessions.list()).toEqual(['a', 'c', 'b']);
  expect(['a', 'b'].map((id) => sessions.hasEnded(id))).toEqual([false, true]);
  expect(['a', 'b'].map((id) => sessions.isShared(id, first))).toEqual([false, true]);
});
