import { keptAt } from '../../kept-at.ts';
import { sentClasses, sentOf } from './cause.ts';
import { facts, type Relation, relations, type Test } from './facts.ts';
import { type Sighting, statusIn } from './sighting.ts';

type Asked<T> = (given: T) => boolean;

/** The test for a pattern. Each of its terms must hold: one of the names separated by `|`, or the absence of a name after `!`. */
function parsed<T>(pattern: string, find: (name: string) => Asked<T> | undefined): Asked<T> {
  const terms = pattern.split(' ').map((term) =>
    term.split('|').map((name): Asked<T> => {
      const test = find(name.replace('!', ''));
      if (test === undefined) throw new Error(`no fact is called ${name}`);
      return name.startsWith('!') ? (given) => !test(given) : test;
    }),
  );
  return (given) => terms.every((names) => names.some((test) => test(given)));
}

const known = new WeakMap<Sighting, Map<string, boolean>>();

/** The facts of a finding by name, kept because many rows require the same facts. */
function answersOf(one: Sighting): Map<string, boolean> {
  return keptAt(known, one, () => new Map());
}

/** Whether a finding is as a pattern says, such as `AUTH-2|AUTH-3 accepted !company`. */
export function findingLike(pattern: string): Test {
  return parsed(pattern, (name) => {
    const test = facts[name] ?? (ofValues.test(name) ? (one) => valuesOf(one).includes(name) : undefined);
    return test && ((one) => keptAt(answersOf(one), name, () => test(one)));
  });
}

/** Whether two findings are to each other as a pattern says, such as `same-operation !refused-after`. */
export function pairLike(pattern: string): Relation {
  const test = parsed<readonly [Sighting, Sighting]>(pattern, (name) => {
    const relation = relations[name];
    return relation && (([other, one]) => relation(other, one));
  });
  return (other, one) => test([other, one]);
}

/** A requirement or its area, a status, a kind of failure, or a class of what was sent. */
const ofValues = new RegExp(
  `^(?:[A-Z]+(?:-\\d)?|[1-5]\\d\\d|timeout|reset|malformed-response|${sentClasses.join('|').replaceAll(' ', '-')})$`,
);

function valuesOf(one: Sighting): readonly string[] {
  const { requirement, exchange } = one;
  const came = String(exchange.failure?.kind ?? statusIn(one));
  return [requirement, requirement.replace(/-\d+$/, ''), came, sentOf(one).class.replaceAll(' ', '-')];
}
