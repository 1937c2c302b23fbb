import { expect, it } from 'vitest';
import { type Act, play } from './play.ts';

it('sends acts in their order, and those beside one another at once', async () => {
  const acts: ReadonlyArray<Act & { readonly name: string }> = [
    { name: 'a', beside: 'at once' },
    { name: 'b' },
    { name: 'c', beside: 'at once' },
    { name: 'd' },
  ];
  const sent: string[] = [];
  await play(acts, async ({ name }, isInGroup) => {
    sent.push(`begin ${name}${isInGroup ? ' with another' : ''}`);
    await new Promise(setImmediate);
    sent.push(`end ${name}`);
  });
  expect(sent).toEqual([
    ...['begin a', 'end a'],
    ...['begin b with another', 'begin c with another', 'end b', 'end c'],
    ...['begin d', 'end d'],
  ]);
});

it('sends an act a moment after the one that it is beside', async () => {
  const begun: number[] = [];
  const acts: readonly Act[] = [{}, { beside: 'later' }];
  await play(acts, async () => begun.push(performance.now()));
  const [first = 0, second = 0] = begun;
  expect(second - first).toBeGreaterThan(5);
});
