import { describe, expect, it } from 'vitest';
import { SessionTracker } from './session-tracker.ts';

it('lists what was opened and not closed, oldest first and once', () => {
  const sessions = new SessionTracker();
  const [first, second] = [
    { check: 'session/a', operation: 'one' },
    { check: 'session/a', operation: 'two' },
  ];
  for (const id of ['a', 'b', 'c', 'a']) sessions.opened(id, first, '');
  sessions.closed('b');
  sessions.closed('unknown');
  expect(sessions.list()).toEqual(['a', 'c']);
  sessions.opened('b', second, '');
  expect(sessions.list()).toEqual(['a', 'c', 'b']);
  expect(['a', 'b'].map((id) => sessions.hasEnded(id))).toEqual([false, true]);
  expect(['a', 'b'].map((id) => sessions.isShared(id, first))).toEqual([false, true]);
});

describe('sessions are apart', () => {
  const by = { check: 'session/a', operation: 'one' };
  const areApartAfter = (
    ...acts: ReadonlyArray<'create a' | 'create b' | 'create other' | 'cancel a'>
  ): boolean => {
    const sessions = new SessionTracker();
    for (const act of acts) {
      const [, id = ''] = act.split(' ');
      if (act === 'cancel a') sessions.closed(id);
      else sessions.opened(id, by, act === 'create other' ? 'another body' : 'body');
    }
    return sessions.areApart;
  };

  it('once one is cancelled after an equal create', () => {
    expect(areApartAfter('create a', 'create b')).toBe(false);
    expect(areApartAfter('create a', 'create b', 'cancel a')).toBe(true);
  });

  it('not for one that is cancelled after another create, or one that was returned twice', () => {
    expect(areApartAfter('create a', 'create other', 'cancel a')).toBe(false);
    expect(areApartAfter('create a', 'create a', 'create b', 'cancel a')).toBe(false);
  });
});
