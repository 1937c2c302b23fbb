import { diffWordsWithSpace } from 'diff';
import type { Element, ElementContent } from 'hast';
import { h } from 'hastscript';
import { placeName, type Requirement } from '../../spec/requirements.ts';
import { violationFacts } from '../blocks/findings.ts';
import type { Violation } from '../model/root-causes.ts';
import { type Content, code, sheet, shown, textView } from './elements.ts';
import type { PageModel } from './page-model.ts';

type Pair = Pick<Violation, 'expected' | 'actual'>;

const longestInline = 28;
// Beyond this many changes two texts have little in common.
const mostChanges = 60;

function isShort(text: string | null): boolean {
  return text === null || text.length <= longestInline;
}

/** `401 → 200` on one line; null where the texts are too long for it, or the case has neither. */
export function inlineChange({ expected, actual }: Pair): Element | null {
  if ((expected === null && actual === null) || !isShort(expected) || !isShort(actual)) return null;
  return h('span.change', [
    h('span.unseen', 'expected '),
    h('code', { dir: 'ltr' }, shown(expected ?? '–')),
    h('span', { ariaHidden: 'true' }, ' → '),
    h('span.unseen', ', got '),
    h('code.got', { dir: 'ltr' }, shown(actual ?? '–')),
  ]);
}

/** A part of a text, and whether the other text lacks it. */
type Part = Readonly<{ text: string; differs: boolean }>;

/** Compares two texts word by word. */
export function compareWords(expected: string, actual: string): readonly [expected: Part[], actual: Part[]] {
  const changes = diffWordsWithSpace(expected, actual, { maxEditLength: mostChanges });
  if (changes === undefined) return [[{ text: expected, differs: true }], [{ text: actual, differs: true }]];
  const side = (other: 'added' | 'removed'): Part[] =>
    changes.flatMap((change) =>
      change[other] ? [] : [{ text: change.value, differs: change.added || change.removed }],
    );
  return [side('added'), side('removed')];
}

function wordsView(parts: readonly Part[]): Content {
  const text = parts.map((part) => part.text).join('');
  if (text === '') return 'nothing';
  // Where most of a text differs, marks would only disturb.
  const same = parts.reduce((sum, { differs, text: { length } }) => sum + (differs ? 0 : length), 0);
  const isMixed = same * 2 > text.length;
  const content: ElementContent[] = parts.map((part) =>
    part.differs && isMixed ? h('strong', shown(part.text)) : { type: 'text', value: shown(part.text) },
  );
  return h('code', { dir: 'ltr' }, content);
}

/** Expected and got in two lines with the differing words set off. */
export function fullChange({ expected, actual }: Pair): (readonly [name: string, value: Content])[] {
  const [left, right] = compareWords((expected ?? '').slice(0, 2_000), (actual ?? '').slice(0, 2_000));
  return [
    ['Expected', expected === null ? null : wordsView(left)],
    ['Got', actual === null ? null : wordsView(right)],
  ];
}

/** The rule that is violated: a clause of the requirement, or the requirement itself. */
function titleOf({ title, level, clauses }: Requirement, violation: Violation): string {
  const clause = Object.values(clauses).find((one) => one.level === violation.level);
  return level === violation.level || clause === undefined ? title : clause.title;
}

/** The cited places of the contract with their content, or the citation alone. */
function contractView(requirement: Requirement | undefined, citation: Content = 'none'): Content {
  if (requirement === undefined) return citation;
  return requirement.contract.map((place) =>
    h('div', [h('b', placeName(place) + (place.says === undefined ? '' : ':')), ` ${place.says ?? ''}`]),
  );
}

/** Expected, got, rule, reason, and all other facts about a violation. */
export function factsOf(violation: Violation, { report, requirements }: PageModel): Element {
  const requirement = requirements.get(violation.requirement);
  const facts = violationFacts(violation, report);
  const told = new Map(facts.map(({ name, text }) => [name, textView(text)]));
  const allowed = (requirement?.allows ?? []).map((one) => h('li', one));
  const accepted = told.get('accepted');
  const name = h('b', `${shown(violation.requirement, 60)} ${violation.level}`);
  return sheet([
    ...(inlineChange(violation) === null ? fullChange(violation) : []),
    ['Observed', told.get('detail')],
    ['Rule', [name, requirement && ` ${titleOf(requirement, violation)}`]],
    ['Contract', contractView(requirement, told.get('contract'))],
    ['Why it matters', requirement?.rationale],
    ['Still allowed', allowed.length === 0 ? null : h('ul', allowed)],
    ['Frequency', told.get('seen')],
    ['In your logs', told.get('logged')],
    ['Accepted', accepted && h('strong', accepted)],
    ['Check', code(violation.check, 200)],
  ]);
}
