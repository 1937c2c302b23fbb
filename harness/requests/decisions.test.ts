import { expect, it } from 'vitest';
import { MadeDecisions, ReadDecisions } from './decisions.ts';

it('are recorded where they are not as usual, and read in whatever order others are taken', async () => {
  const made = new MadeDecisions();
  made.ask('room', '', true, () => true);
  made.ask('early', 'x/1.1', false, () => true);
  made.ask('early', 'x/1.2', false, () => false);
  made.ask('room', '', true, () => false);
  await made.askLater('inputs', 'body', 60, async () => 12);
  expect(made.recorded).toEqual({ 'early x/1.1': true, 'room  (2)': false, 'inputs body': 12 });

  const read = new ReadDecisions(made.recorded);
  expect(await read.askLater('inputs', 'body', 60)).toBe(12);
  expect([read.ask('room', '', true), read.ask('room', '', true)]).toEqual([true, false]);
  expect([read.ask('early', 'x/1.2', false), read.ask('early', 'x/1.1', false)]).toEqual([false, true]);
  expect(read.unread).toEqual([]);
});

it('that no attempt takes are told, and those of another type count as usual', () => {
  const read = new ReadDecisions({ 'ended s': true, 'inputs body': true });
  expect(read.ask('inputs', 'body', 60)).toBe(60);
  expect(read.unread).toEqual(['ended s']);
});
