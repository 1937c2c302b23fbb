import { applyChanges, changesFrom, smallerJson } from '../../harness/fuzzing/smaller-json.ts';
import { fewerParts } from '../../harness/fuzzing/smaller-sequences.ts';
import type { Json } from '../../harness/model/target.ts';
import type { CaseClient } from '../../harness/requests/case-client.ts';
import type { WritableBody } from './fresh-bodies.ts';
import { plainBody } from './unusual-forms.ts';

/** How a body is made smaller. */
export interface BodyReduction {
  readonly budget: number;
  readonly stillFails: (body: WritableBody) => Promise<boolean>;
}

/**
 * Makes a body smaller that is answered wrongly: written plainly if that will do, then with fewer differences from the
 * valid one, then as a smaller value. Gives the number of questions asked.
 */
export async function reduceBody(
  client: CaseClient,
  start: WritableBody,
  valid: Json,
  { budget, stillFails }: BodyReduction,
): Promise<number> {
  let asked = 0;
  let { write } = start;
  const keyOf = (value: Json): string => {
    const { bytes, contentType } = write(value);
    return `${contentType} ${bytes.toString('latin1')}`;
  };
  const asks = (value: Json): Promise<boolean> => stillFails({ value, write });
  const isValid = JSON.stringify(start.value) === JSON.stringify(valid);
  if (write !== plainBody && !isValid) {
    asked += 1;
    if (await stillFails({ value: start.value, write: plainBody })) write = plainBody;
  }
  const nearest = await client.smallest(changesFrom(valid, start.value), {
    smaller: fewerParts,
    keyOf: (changes) => keyOf(applyChanges(valid, changes)),
    stillFails: (changes) => asks(applyChanges(valid, changes)),
    budget: budget - asked,
  });
  asked += nearest.asked;
  const smallest = await client.smallest(applyChanges(valid, nearest.input), {
    smaller: (value) => smallerJson(value, valid),
    keyOf,
    stillFails: asks,
    budget: budget - asked,
  });
  return asked + smallest.asked;
}
