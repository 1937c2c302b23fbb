import { describe, expect, it } from 'vitest';
import { FuzzBudget, type RandomInputs } from './fuzz-budget.ts';

/** Sends all that is granted, a batch of four at a time; `answer` tells what the nth input of it brings. */
async function sendAll(
  inputs: RandomInputs,
  wanted: number,
  answer: (nth: number) => string,
  spend: () => void,
): Promise<number> {
  let sent = 0;
  try {
    while (sent < wanted) {
      const granted = await inputs.grant(Math.min(4, wanted - sent));
      if (granted === 0) break;
      for (let one = 0; one < granted; one += 1) {
        spend();
        await Promise.resolve();
        inputs.learn(answer(sent));
        sent += 1;
      }
    }
  } finally {
    inputs.close();
  }
  return sent;
}

/** How many inputs each of three cases could send with such a budget: one whose answers are all new, two whose are not. */
async function share(budget: number, wanted: number): Promise<readonly number[]> {
  let left = budget;
  const fuzzBudget = new FuzzBudget({
    isEnough: budget >= 3 * wanted,
    room: () => left,
    onGrant: () => {},
  });
  const answers: ReadonlyArray<(nth: number) => string> = [() => '404', (nth) => `new ${nth}`, () => '404'];
  const streams = answers.map((_, at) => fuzzBudget.open(`case ${at}`, 'slug'));
  const sent = streams.map((stream, at) =>
    sendAll(stream, wanted, answers[at] as (nth: number) => string, () => {
      left -= 1;
    }),
  );
  return Promise.all(sent);
}

describe('random inputs', () => {
  it('are all sent where the budget is enough', async () => {
    expect(await share(300, 100)).toEqual([100, 100, 100]);
  });

  it('go where they bring new answers where it is not', async () => {
    const [dull = 0, telling = 0, alsoDull = 0] = await share(60, 100);
    expect(dull + telling + alsoDull).toBe(60);
    expect(telling).toBeGreaterThan(40);
    expect(dull).toBeGreaterThan(0);
    expect(alsoDull).toBeGreaterThan(0);
  });

  it('are shared in the same way each time', async () => {
    expect(await share(37, 50)).toEqual(await share(37, 50));
  });

  it('are none where nothing is left', async () => {
    expect(await share(0, 10)).toEqual([0, 0, 0]);
  });

  it('that are wanted no more make room for others', async () => {
    const fuzzBudget = new FuzzBudget({ isEnough: false, room: () => 8, onGrant: () => {} });
    const a = fuzzBudget.open('a', 'slug');
    const b = fuzzBudget.open('b', 'slug');
    const granted = a.grant(8);
    b.close();
    expect(await granted).toBe(8);
  });

  it('are sent where the budget is enough, whatever else has used of it by then', async () => {
    const told: Array<readonly [string, number]> = [];
    const fuzzBudget = new FuzzBudget({
      isEnough: true,
      room: () => 0,
      onGrant: (id, inputs) => told.push([id, inputs]),
    });
    fuzzBudget.open('other', 'slug');
    expect(await fuzzBudget.open('a', 'slug').grant(8)).toBe(8);
    expect(told).toEqual([['a', 8]]);
  });
});
