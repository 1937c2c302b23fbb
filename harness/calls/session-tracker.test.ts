import { expect, it } from 'vitest';
import { SessionTracker } from './session-tracker.ts';

it('lists what was opened and not closed, oldest first and once', () => {
  const sessions = new SessionTracker();
  for (const id of ['a', 'b', 'c', 'a']) sessions.opened(id);
  sessions.closed('b');
  sessions.closed('unknown');
  expect(sessions.list()).toEqual(['a', 'c']);
  sessions.opened('b');
  expect(sessions.list()).toEqual(['a', 'c', 'b']);
  expect(['a', 'b'].map((id) => sessions.hasEnded(id))).toEqual([false, true]);
});
