import { countCharacters, countNodes } from '../../fixtures/faults/example-call.ts';
import type { Breach, Fault } from '../../fixtures/faults/fault.ts';
import type { Variant } from '../../fixtures/variants/variant.ts';
import { moreRequests } from '../../harness/calls/pipeline.ts';
import { type Moments, noMoments } from '../../harness/evidence/spell-ledger.ts';
import type { CaseResult, Finding, ShapeEntry } from '../../harness/model/report.ts';
import { attribute } from '../../harness/results/causes/root-causes.ts';

const passesAlready = 'passes although it is marked as accused: remove the mark';
const testedAlready = 'is tested in full although it is marked as untested: remove the mark';

/** Why the results do not show the fault at its place and nowhere else; of one marked as missed, that they do. */
export function objectionsToFault(
  fault: Fault,
  results: readonly CaseResult[],
  shapes: readonly ShapeEntry[] = [],
  moments: Moments = noMoments,
): readonly string[] {
  const objections = [...objectionsTo(fault, results), ...objectionsToCause(fault, results, shapes, moments)];
  if (fault.missed === undefined) return objections;
  if (fault.foundByChance === true) return [];
  const checks = new Set(
    reportsOf(fault, results).map(({ requirement, check }) => `${requirement} ${check}`),
  );
  return checks.size === 0
    ? []
    : [`is found by ${[...checks].join(', ')} although it is marked as missed: remove the mark`];
}

/** Whether the named check reports the fault at its place. */
export function isFound({ breaks, expects = 'fail' }: Fault, results: readonly CaseResult[]): boolean {
  return results.some((result) => isNamed(breaks, result) && loudness(result) === expects);
}

/** Whether any check reports the fault at its place, the named one or another. */
export function isReported(fault: Fault, results: readonly CaseResult[]): boolean {
  return reportsOf(fault, results).length > 0;
}

function reportsOf(
  { breaks, expects = 'fail' }: Fault,
  results: readonly CaseResult[],
): readonly CaseResult[] {
  return results.filter(
    (result) =>
      (breaks.operation === '*' || isAt(breaks, result)) &&
      (loudness(result) === expects || loudness(result) === 'fail'),
  );
}

function objectionsTo(fault: Fault, results: readonly CaseResult[]): readonly string[] {
  const { breaks, expects = 'fail' } = fault;
  const named = results.filter((result) => isNamed(breaks, result));
  const seen = named.filter((result) => loudness(result) === expects);
  const strays = results.filter((result) => isAccused(result) && !mayBeAccused(breaks, result));
  return [
    ...(seen.length === 0 ? whyMissed(fault, named) : objectionsToReports(fault, seen)),
    ...strays.map((stray) => `stray: ${describe(stray)}`),
  ];
}

function whyMissed({ breaks, expects = 'fail' }: Fault, named: readonly CaseResult[]): readonly string[] {
  if (named.length === 0) return [`${breaks.check ?? 'no check'} does not evaluate ${breaks.operation}`];
  const telling = named.filter(({ outcome }) => outcome !== 'not-applicable');
  return [...new Set([...telling, ...named])]
    .slice(0, 3)
    .map((result) => `missed: ${expects} expected, but ${describe(result)}`);
}

/** Why the results that report the fault say something wrong of it. */
function objectionsToReports(fault: Fault, seen: readonly CaseResult[]): readonly string[] {
  const { check, requirement, actual } = fault.breaks;
  const findings = seen.flatMap((result) => result.findings);
  const said = findings.map((one) => `got ${one.actual} in ${one.seen.times} of ${one.seen.of} tries`);
  const wrong = check === undefined ? undefined : seen.find((result) => result.requirement !== requirement);
  return [
    wrong && `${wrong.check} tests ${wrong.requirement}, not ${requirement}`,
    objectionToSize(fault, findings),
    actual !== undefined && !said.some((text) => text.includes(actual))
      ? `the findings say ${[...new Set(said)].join(', ')}, none of them ${actual}`
      : undefined,
  ].filter((objection) => objection !== undefined);
}

/** Characters or nodes by which a reported counterexample may be larger than the smallest that there is. */
const slack = 2;

/** Why none of the findings shows the fault by an input about as small as can be; undefined where one does. */
function objectionToSize(
  { counterexample: { characters, nodes } = {} }: Fault,
  findings: readonly Finding[],
): string | undefined {
  const least = characters ?? nodes ?? Number.POSITIVE_INFINITY;
  const sizes = findings.flatMap(({ exchange: { request } }) => {
    if (characters !== undefined)
      return Object.values(request.values)
        .filter(({ source }) => source === 'generated')
        .map(({ value }) => countCharacters(value));
    return request.body?.encoding === 'utf-8' ? countNodes(request.body.text) : [];
  });
  const reported = Math.min(...sizes);
  if (sizes.length === 0 || reported <= least + slack) return undefined;
  const unit = characters === undefined ? 'nodes' : 'characters';
  return `the smallest input reported has ${reported} ${unit}, where ${least} would do`;
}

/** Why the findings are not one root cause with the headline and the fix that the fault states, if it states them. */
function objectionsToCause(
  { breaks: { headline, fix } }: Fault,
  results: readonly CaseResult[],
  shapes: readonly ShapeEntry[],
  moments: Moments,
): readonly string[] {
  if (headline === undefined) return [];
  const { rootCauses } = attribute(results, shapes, [], moments);
  const [first] = rootCauses;
  const isRight = first?.headline.startsWith(headline) === true && first.fix.includes(fix ?? '');
  if (rootCauses.length === 1 && isRight) return [];
  return rootCauses.map((one) => `root cause instead of “${headline}”: ${one.headline} | ${one.fix}`);
}

/** The accusations of a conforming service; for one marked as accused, the lack of any. */
export function objectionsToVariant(variant: Variant, results: readonly CaseResult[]): readonly string[] {
  const accusations = [
    ...accusationsOf(variant, results),
    ...beyondBudget(results),
    ...untestedOf(variant, results),
  ];
  if (variant.accused === undefined) return accusations;
  return accusations.length === 0 ? [passesAlready] : [];
}

/** A conforming service must not reach the default limit. */
function beyondBudget(results: readonly CaseResult[]): readonly string[] {
  return results.filter(({ remedy }) => remedy === moreRequests).map(describe);
}

/** The reasons why a conforming service is not tested in full. */
function untestedOf({ untested }: Variant, results: readonly CaseResult[]): readonly string[] {
  const cases = results.filter(({ level, outcome }) => level === 'must' && outcome === 'inconclusive');
  if (untested !== undefined) return cases.length === 0 ? [testedAlready] : [];
  if (!results.some(({ outcome }) => ['pass', 'fail', 'warn'].includes(outcome)))
    return ['there is no verdict'];
  const reasons = [...new Set(cases.map(({ message }) => message))];
  return reasons.map((reason) => {
    const [first, ...others] = cases.filter(({ message }) => message === reason);
    const more =
      others.length === 0 ? '' : ` (and ${others.length} more ${others.length === 1 ? 'case' : 'cases'})`;
    return `untested: ${first?.check} at ${first?.operation}${more}: ${reason}`;
  });
}

/** The failures and warnings of a conforming service, without those that it may cause. */
export function accusationsOf(variant: Variant, results: readonly CaseResult[]): readonly string[] {
  const allowed = new Set(variant.warns ?? []);
  return results
    .filter((result) => isAccused(result) && !(result.outcome === 'warn' && allowed.has(result.requirement)))
    .map(describe);
}

/** A fault without a check is found wherever it may show. */
function isNamed(breaks: Breach, result: CaseResult): boolean {
  if (breaks.check === undefined) return breaks.operation === '*' || isAt(breaks, result);
  return breaks.check === result.check && [result.operation, '*'].includes(breaks.operation);
}

function isAt({ operation, elsewhere = [] }: Breach, result: CaseResult): boolean {
  return [operation, ...elsewhere].some((one) => one === result.operation);
}

/** A fault of the whole service shows wherever its check looks; any other only at the operations that it names. */
function mayBeAccused(breaks: Breach, result: CaseResult): boolean {
  if (result.outcome === 'error') return false;
  return isAt(breaks, result) || (breaks.operation === '*' && isNamed(breaks, result));
}

function isAccused({ outcome }: CaseResult): boolean {
  return outcome === 'fail' || outcome === 'warn' || outcome === 'error';
}

function loudness({ outcome, findings }: CaseResult): Fault['expects'] {
  if (outcome === 'fail' || outcome === 'warn') return outcome;
  return outcome === 'pass' && findings.length > 0 ? 'noted' : undefined;
}

function describe(result: CaseResult): string {
  const seen = result.expected === null ? '' : ` (expected ${result.expected}, got ${result.actual})`;
  // The proof has no such flag; a service of the corpus is slow where the machine is busy.
  const message = result.message.replace(/raise --timeout\b[^)]*/, 'prove it again by its name');
  return `${result.outcome} ${result.requirement} ${result.check} at ${result.operation}: ${message}${seen}`;
}
