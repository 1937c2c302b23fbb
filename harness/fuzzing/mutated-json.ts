import type { Json } from '../model/target.ts';
import type { Draw } from './draw.ts';
import {
  isJsonList,
  isJsonMembers,
  type JsonMembers,
  type JsonPath,
  jsonAt,
  membersFrom,
  withJsonAt,
} from './json-places.ts';
import { numberAsWritten } from './json-text.ts';

/** How many changes a mutation makes, few of them more often than many. */
const changeCounts = [1, 1, 1, 1, 1, 1, 2, 3];

/** Leaves on which readers of JSON, data bases and templates stumble. */
const words = ['0', 'null', 'true', '{}', '__proto__'];
const characters = ['\u0000', '\ud800', '\udfff', '\u{1f455}', '\u202e', '\ufeff', '\u2028', 'e\u0301'];
const syntax = ["'", '"', '\\', '<', '%', '%00', '$', '../'];
const lengths = ['', ' ', 'a'.repeat(64), 'a'.repeat(256)];
const texts = [...words, ...characters, ...syntax, ...lengths];
const asWritten = ['-0', '9007199254740993', '1e400', '-1e400', '1e-400'].map(numberAsWritten);
const numbers = [0, -1, 1, 0.1, 2 ** 31, -(2 ** 31) - 1, ...asWritten];
const leaves: readonly Json[] = [null, true, false, ...numbers, ...texts, [], {}, [[]], { '': null }];
/** What breaks texts within them most often. */
const breaking = ['\u0000', '\ud800', '"', '<', '\u{1f455}', "'"];
const names = ['__proto__', 'constructor', 'toString', 'id', 'type', '', '$ref', 'conformance'];

/** What stands at a place after a change; undefined for nothing. */
type Change<Old extends Json = Json> = (old: Old, draw: Draw) => Json | undefined;

const atTheTop: readonly Change[] = [(_old, draw) => madeUp(draw), (old) => [old], (old) => ({ value: old })];
const below: readonly Change[] = [...atTheTop, (_old, draw) => draw.of(leaves), () => undefined];
const insertion: Change<string> = (old, draw) => {
  const at = draw.whole(0, old.length);
  return old.slice(0, at) + draw.of([...breaking, ...breaking, ...texts]) + old.slice(at);
};
const ofTexts: ReadonlyArray<Change<string>> = [
  insertion,
  insertion,
  insertion,
  (old, draw) => old.slice(0, draw.whole(0, old.length)),
  (old, draw) => old.repeat(draw.whole(2, 40)),
  (_old, draw) => draw.list(0, 40, () => draw.character()).join(''),
];
const ofNumbers: ReadonlyArray<Change<number>> = [
  (_old, draw) => draw.whole(-(2 ** 31), 2 ** 31),
  (_old, draw) => (draw.fraction() - 0.5) * 10 ** draw.whole(-9, 300),
  (old, draw) => draw.of([-old, old + 1, old - 1, old * 1000, old / 2, 0, -1]),
];
const ofLists: ReadonlyArray<Change<readonly Json[]>> = [
  (old, draw) => [...old, draw.of(leaves)],
  (old, draw) => Array.from({ length: draw.whole(2, 60) }, () => old).flat(),
  (old) => old.toReversed(),
];
const ofMembers: ReadonlyArray<Change<JsonMembers>> = [
  (old, draw) => {
    const similar = Object.keys(old).flatMap((name) => [name.toUpperCase(), `${name} `, `${name}s`]);
    const added = draw.of([...names, ...similar, draw.list(0, 12, () => draw.character()).join('')]);
    return membersFrom([[added, draw.of(leaves)], ...Object.entries(old)]);
  },
  (old, draw) => membersFrom(draw.shuffled(Object.entries(old))),
];

/** Mutations of some valid values: members, leaves, types, texts and numbers are altered a little. */
export function sampleMutations(valids: readonly Json[], draw: Draw, count: number): readonly Json[] {
  return Array.from({ length: count }, () => {
    let value = draw.of(valids);
    for (let left = draw.of(changeCounts); left > 0; left -= 1) {
      const path = draw.of(placesOf(value, []));
      const old = jsonAt(value, path) ?? null;
      const change = draw.of([...(path.length === 0 ? atTheTop : below), ...changesOf(old)]);
      value = withJsonAt(value, path, change(old, draw));
    }
    return value;
  });
}

function placesOf(value: Json, path: JsonPath): readonly JsonPath[] {
  const steps = isJsonList(value) ? value.keys() : isJsonMembers(value) ? Object.keys(value) : [];
  const inner = [...steps].map((step) => [...path, step]);
  return [path, ...inner.flatMap((below) => placesOf(jsonAt(value, below.slice(-1)) ?? null, below))];
}

/** Changes of values of its type. */
function changesOf(old: Json): readonly Change[] {
  if (typeof old === 'string') return ofTexts as readonly Change[];
  if (typeof old === 'number') return ofNumbers as readonly Change[];
  if (isJsonList(old)) return ofLists as readonly Change[];
  return isJsonMembers(old) ? (ofMembers as readonly Change[]) : [];
}

/** Any value of up to two levels. */
function madeUp(draw: Draw, levels = 2): Json {
  const leaf = (): Json => draw.of(leaves);
  const items = (): readonly Json[] => draw.list(0, 4, () => madeUp(draw, levels - 1));
  const members = (): Json => membersFrom(items().map((item) => [draw.of(names), item]));
  return levels === 0 ? leaf() : draw.of([leaf, items, members])();
}
