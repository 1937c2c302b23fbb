import { expect, it } from 'vitest';
import { type Act, play } from './play.ts';

it('sends acts in their order, and those beside one another at once', async () => {
  const acts: ReadonlyArray<Act & { readonly name: string }> = [
    { name: 'a', beside: true },
    { name: 'b' },
    { name: 'c', beside: true },
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
