import { expect, it } from 'vitest';
import { OpenSessions } from './open-sessions.ts';

it('lists what was opened and not closed, oldest first and once', () => {
  const sessions = new OpenSessions();
  for (const id of ['a', 'b', 'c', 'a']) sessions.opened(id);
  sessions.closed('b');
  sessions.closed('unknown');
  expect(sessions.list()).toEqual(['a', 'c']);
  sessions.opened('b');
  expect(sessions.list()).toEqual(['a', 'c', 'b']);
});
