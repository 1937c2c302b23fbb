import { createRequire } from 'node:module';
import type * as Yaml from 'yaml';
import type { CaseResult, Finding, Level, RootCause, ShapeEntry } from '../../model/report.ts';
import { digestOf } from '../finding.ts';
import { fixOfCause } from './fix-of-cause.ts';
import { otherRouteFix, otherRouteOf, otherRoutesOf, type Route } from './other-route.ts';
import { ownErrorsOf, responderOf } from './own-errors.ts';
import { type Defect, defectOf, type Sighting } from './root-cause-defect.ts';
import { primariesOf } from './same-exchange.ts';

/** Results whose findings name who answered and what else their exchange violates, and the root causes behind them. */
export interface Attributed {
  readonly results: readonly CaseResult[];
  readonly rootCauses: readonly RootCause[];
}

const levels: readonly Level[] = ['must', 'should', 'info'];

/** Attributes every finding to who answered, and groups the findings by what one fix would remove. */
export function attribute(
  results: readonly CaseResult[],
  shapes: readonly ShapeEntry[] = [],
  operations: readonly Route[] = [],
): Attributed {
  const order = new Map(operations.map(({ id }, at) => [id, at]));
  const routes = otherRoutesOf(shapes, operations);
  const own = ownErrorsOf(shapes);
  const attributed = results.map((result) => ({
    ...result,
    findings: result.findings.map((finding) => {
      const answeredBy = responderOf(finding.exchange, own);
      const attributed = answeredBy === undefined ? finding : { ...finding, answeredBy };
      const route = otherRouteOf({ result, finding }, routes);
      const fix = route === undefined ? fixOfCause({ result, finding: attributed }) : otherRouteFix(route);
      return fix === undefined ? attributed : { ...attributed, fix };
    }),
  }));
  const sightings = attributed.flatMap((result) =>
    result.findings.flatMap((finding) => (finding.level === 'info' ? [] : [{ result, finding }])),
  );
  const primaries = primariesOf(sightings);
  const groups = new Map<string, Group>();
  for (const sighting of sightings) {
    const primary = primaries.get(sighting.finding) ?? sighting;
    const defect = defectOf(primary, sightings, routes);
    const key = defect.key.join('\u0000');
    const group = groups.get(key) ?? { defect, shownBy: primary, sightings: [], sent: new Set() };
    groups.set(key, group);
    group.sightings.push(sighting);
    if (defect.sent !== undefined) group.sent.add(defect.sent);
    if (rankOf(primary) < rankOf(group.shownBy)) {
      group.defect = defect;
      group.shownBy = primary;
    }
  }
  const isPrimary = ({ finding }: Sighting): boolean => !primaries.has(finding);
  const rootCauses = [...groups.values()]
    .map(({ defect, shownBy, sightings: all, sent }) =>
      rootCauseOf(
        { ...defect, headline: `${defect.headline}${othersText(sent.size - 1)}` },
        [...new Set([shownBy, ...all.filter(isPrimary), ...all])],
        order,
      ),
    )
    .sort(
      (a, b) =>
        levels.indexOf(a.level) - levels.indexOf(b.level) ||
        b.operations.length - a.operations.length ||
        (a.id < b.id ? -1 : 1),
    );
  const others = new Map<Finding, Set<string>>();
  for (const { finding, result } of sightings) {
    const primary = primaries.get(finding);
    if (primary === undefined || primary.result.requirement === result.requirement) continue;
    others.set(primary.finding, (others.get(primary.finding) ?? new Set()).add(result.requirement));
  }
  return { results: attributed.map((result) => withOthers(result, others)), rootCauses };
}

interface Group {
  /** The defect of the gravest finding, which headline and example show. */
  defect: Defect;
  shownBy: Sighting;
  readonly sightings: Sighting[];
  /** Kinds of calls that show it, of which the headline names the first. */
  readonly sent: Set<string>;
}

function rankOf({ finding }: Sighting): number {
  return levels.indexOf(finding.level);
}

function othersText(count: number): string {
  if (count <= 0) return '';
  return count === 1
    ? '; another kind of call fails likewise'
    : `; ${count} other kinds of calls fail likewise`;
}

/** Names, on the finding of the most specific requirement, the others that its exchange violates. */
function withOthers(result: CaseResult, others: ReadonlyMap<Finding, ReadonlySet<string>>): CaseResult {
  const findings = result.findings.map((finding) => {
    const also = others.get(finding);
    return also === undefined ? finding : { ...finding, alsoViolates: [...also].sort() };
  });
  return { ...result, findings };
}

function rootCauseOf(
  { key, headline, subject, answeredBy, fix }: Defect,
  sightings: readonly Sighting[],
  order: ReadonlyMap<string, number>,
): RootCause {
  const gravest = levels.find((level) => sightings.some(({ finding }) => finding.level === level)) ?? 'info';
  const operations = [...new Set(sightings.map(({ result }) => result.operation))].sort(
    (a, b) => (order.get(a) ?? 0) - (order.get(b) ?? 0),
  );
  const exclude = excludeLines(sightings);
  return {
    id: digestOf(key),
    headline,
    level: gravest,
    subject,
    ...(answeredBy === undefined ? {} : { answeredBy }),
    fix,
    requirements: [...new Set(sightings.map(({ result }) => result.requirement))],
    operations,
    findings: [...new Set(sightings.map(({ finding }) => finding.id))],
    ...(exclude === undefined ? {} : { exclude }),
    accept: acceptLines(sightings, headline),
  };
}

const load = createRequire(import.meta.url);

/** Lines of a target file that exclude the classes of values that show a defect; undefined where not all findings have one. */
function excludeLines(sightings: readonly Sighting[]): string | undefined {
  const classes = new Set<string>();
  for (const { finding } of sightings) {
    if (finding.excludable === undefined) continue;
    for (const name of finding.excludable) classes.add(name);
  }
  if (classes.size === 0) return undefined;
  const reason = '<why the target cannot take these values>';
  return lines({ exclude: [...classes].sort().map((name) => ({ class: name, reason })) });
}

/** Entries of a baseline that accept each finding once, for the person who fills in reason, owner and last day. */
function acceptLines(sightings: readonly Sighting[], headline: string): string {
  const entries = new Map(
    sightings.map(({ result: { requirement, operation, check }, finding }) => [
      finding.id,
      {
        finding: finding.id,
        requirement,
        operation,
        check,
        ...(finding.triggers === undefined ? {} : { triggers: finding.triggers }),
        reason: headline,
        owner: '<team>',
        expires: '<YYYY-MM-DD>',
      },
    ]),
  );
  return lines({ accepted: [...entries.values()] });
}

/** YAML without a line feed at its end. */
function lines(value: object): string {
  // Slow to load, and of no use to a run that finds nothing.
  const { stringify } = load('yaml') as typeof Yaml;
  return stringify(value, { lineWidth: 0 }).trimEnd();
}
