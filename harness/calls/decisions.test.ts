import { expect, it } from 'vitest';
import { MadeDecisions, ReadDecisions } from './decisions.ts';

const never = (): boolean => {
  throw new Error('nothing is to be decided');
};

it('are recorded where they are not as usual, and read in whatever order others are taken', () => {
  const made = new MadeDecisions();
  made.ask('room', '', true, () => true);
  made.ask('early', 'x/1.1', false, () => true);
  made.ask('early', 'x/1.2', false, () => false);
  made.ask('room', '', true, () => false);
  expect(made.recorded).toEqual({ 'early x/1.1': true, 'room  (2)': false });

  const read = new ReadDecisions(made.recorded);
  expect([read.ask('room', '', true, never), read.ask('room', '', true, never)]).toEqual([true, false]);
  expect([read.ask('early', 'x/1.2', false, never), read.ask('early', 'x/1.1', false, never)]).toEqual([
    false,
    true,
  ]);
  expect([...read.unread]).toEqual([]);
});

it('that no attempt takes are told', () => {
  const read = new ReadDecisions({ 'ended s': true });
  expect(read.ask('opened', '', true, never)).toBe(true);
  expect([...read.unread]).toEqual(['ended s']);
});
