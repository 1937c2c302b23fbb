import { pointerOf, type Steps } from './json-pointers.ts';
import { isMembers } from './place.ts';
import type { SchemaRules } from './schema-rules.ts';

/** A value within a body for which a schema has rules. */
export interface DescribedValue {
  readonly rules: SchemaRules;
  readonly value: unknown;
  readonly steps: Steps;
  /** In words, such as `/items/0`. */
  readonly name: string;
  /** The whole body with another value here. */
  readonly put: (value: unknown) => unknown;
}

const deepest = 6;

/** A body and the values within it that its schema describes; of a list the first item. */
export function* describedValues(
  rules: SchemaRules,
  value: unknown,
  steps: Steps = [],
  put: DescribedValue['put'] = (whole) => whole,
): Generator<DescribedValue> {
  yield { rules, value, steps, name: steps.length === 0 ? 'the body' : pointerOf(steps), put };
  if (steps.length >= deepest) return;
  if (Array.isArray(value)) {
    const [first, ...others] = value;
    if (first === undefined || rules.items === undefined) return;
    yield* describedValues(rules.items, first, [...steps, '0'], (item) => put([item, ...others]));
  }
  if (!isMembers(value)) return;
  const { properties } = rules;
  for (const [name, member] of Object.entries(value)) {
    const property = properties.get(name);
    if (property === undefined) continue;
    yield* describedValues(property, member, [...steps, name], (other) => put({ ...value, [name]: other }));
  }
}
