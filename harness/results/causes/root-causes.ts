import { createRequire } from 'node:module';
import type * as Yaml from 'yaml';
import { defined } from '../../defined.ts';
import { respondersInHeaders } from '../../evidence/identify-responder.ts';
import { idHeadersOf } from '../../evidence/response-ids.ts';
import { type Moments, noMoments } from '../../evidence/spell-ledger.ts';
import { groupBy, groupsOf } from '../../group-by.ts';
import type { CaseResult, Finding, Report, RootCause, ShapeEntry } from '../../model/report.ts';
import { entryAccepting, rankOfLevel } from '../case-result.ts';
import { digestOf } from '../finding.ts';
import { beginning, exoticness, sentOf } from './cause.ts';
import { forAWhile, ofOneRoute } from './cause-fixes.ts';
import { fixOfCause } from './fix-of-cause.ts';
import { changesOfMoment, withoutDoubts } from './moments.ts';
import { type OtherRoutes, otherRouteFix, otherRouteOf, otherRoutesOf, type Route } from './other-route.ts';
import { ownErrorsOf, responderOf } from './own-errors.ts';
import { primariesOf } from './primaries.ts';
import { type Defect, defectOf, isOfService } from './root-cause-defect.ts';
import { isOfDocument, isSteady, type Sighting, sightingOf, statusIn } from './sighting.ts';

/**
 * Attributes every finding to its responder, with the other requirements that its exchange violates, and groups the findings
 * that one fix would remove.
 */
export function attribute(
  results: readonly CaseResult[],
  shapes: readonly ShapeEntry[] = [],
  operations: readonly Route[] = [],
  moments: Moments = noMoments,
): Required<Pick<Report, 'results' | 'rootCauses'>> {
  const known = withoutDoubts(
    moments,
    results.flatMap(({ findings }) => findings),
  );
  const routes = otherRoutesOf(shapes, operations);
  const own = ownErrorsOf(shapes);
  const sightings = new Map<Finding, Sighting>();
  const attributed = results.map((result) => ({
    ...result,
    findings: result.findings.map((finding) => {
      const timed = { ...finding, ...changesOfMoment(sightingOf(result, finding), known) };
      const answered = { ...timed, ...defined({ answeredBy: responderOf(finding.exchange, own) }) };
      const sighting = sightingOf(result, answered);
      const route = otherRouteOf(sighting, routes);
      const ofCause = fixOfCause(sighting) ?? (isRefusedHereOnly(sighting, results) ? ofOneRoute : undefined);
      const fix = route === undefined ? ofCause : otherRouteFix(route);
      const fixed = { ...answered, ...defined({ fix: fix && `${fix}${frontText(answered, known)}` }) };
      if (finding.level !== 'info') sightings.set(fixed, sightingOf(result, fixed));
      return fixed;
    }),
  }));
  const all = [...sightings.values()];
  const primaries = primariesOf(all);
  const explained = groupBy(primaries, ([, primary]) => primary);
  const withOthers = (finding: Finding): Finding => {
    const sighting = sightings.get(finding);
    const others = new Set(sighting && explained.get(sighting)?.map(([{ requirement }]) => requirement));
    others.delete(sighting?.requirement ?? '');
    return { ...finding, ...(others.size > 0 && { alsoViolates: [...others].sort() }) };
  };
  return {
    results: attributed.map((result) => ({ ...result, findings: result.findings.map(withOthers) })),
    rootCauses: rootCausesOf(all, primaries, routes, operations),
  };
}

/** The responder that may have answered, if the response lacks headers that the others have. */
function frontText({ exchange, answeredBy, fix = '' }: Finding, { idHeaders }: Moments): string {
  const [lacking] = idHeaders;
  const isError = (exchange.response?.status ?? 0) >= 400;
  if (lacking === undefined || !isError || answeredBy !== undefined || idHeadersOf(exchange).length > 0)
    return '';
  const [shown] = respondersInHeaders(exchange);
  const who = shown === undefined ? 'something in front of the service' : shown.responder.name;
  const text = ` The response lacks ${lacking}, which nearly all others have, so ${who} may have written it.`;
  // The findings of a shard have been through here before.
  return fix.endsWith(text) ? '' : text;
}

/** Whether an operation refuses each time the key that others accept. */
function isRefusedHereOnly(one: Sighting, results: readonly CaseResult[]): boolean {
  const isRefused =
    one.requirement === 'AUTH-4' && statusIn(one) === 401 && isSteady(one) && one.deviation !== forAWhile;
  return isRefused && results.some(({ check, outcome }) => check === one.check && outcome === 'pass');
}

function rootCausesOf(
  all: readonly Sighting[],
  primaries: ReadonlyMap<Sighting, Sighting>,
  routes: OtherRoutes,
  operations: readonly Route[],
): readonly RootCause[] {
  const order = new Map(operations.map(({ id }, at) => [id, at]));
  const primaryOf = (one: Sighting): Sighting => primaries.get(one) ?? one;
  // A finding that another status explains is not intermittent in itself.
  const unexplained = all.filter((one) => statusIn(primaryOf(one)) === statusIn(one));
  const shown = all.map((sighting) => {
    const primary = primaryOf(sighting);
    return { sighting, primary, defect: defectOf(primary, all, routes, unexplained) };
  });
  return groupsOf(shown, ({ defect }) => defect.key)
    .map((group) => {
      const ofKey = ({ exchange }: Sighting): string => exchange.request.credential.description;
      const timesOf = (key: string): number =>
        group.reduce((sum, { sighting }) => sum + (ofKey(sighting) === key ? sighting.seen.times : 0), 0);
      const shareOf = ({ seen }: Sighting): number => seen.times / seen.of;
      const placesOf = (one: Sighting): number => {
        const { what } = sentOf(one);
        const alike = group.filter(({ primary }) => sentOf(primary).what === what);
        return new Set(alike.map(({ sighting: { operation } }) => operation)).size;
      };
      // Headline and example show the gravest, of these a plain valid call, or else what is sent at most operations, of these
      // the plainest, of these what the most tries show, and of these one with the key that was seen most often.
      const [first = group[0]] = group.toSorted(
        (a, b) =>
          rankOfLevel(a.primary.level) - rankOfLevel(b.primary.level) ||
          Number(exoticness(b.primary) === 0) - Number(exoticness(a.primary) === 0) ||
          placesOf(b.primary) - placesOf(a.primary) ||
          exoticness(a.primary) - exoticness(b.primary) ||
          Number(isExotic(a.primary)) - Number(isExotic(b.primary)) ||
          shareOf(b.primary) - shareOf(a.primary) ||
          timesOf(ofKey(b.primary)) - timesOf(ofKey(a.primary)),
      );
      const kinds = new Set(group.flatMap(({ defect }) => defect.sent ?? []));
      kinds.delete(first.defect.sent ?? '');
      const headline = `${first.defect.headline}${othersText([...kinds])}`;
      const sightings = group.map(({ sighting }) => sighting);
      const ownFirst = [first.primary, ...sightings.filter((one) => !primaries.has(one)), ...sightings];
      const cause = rootCauseOf({ ...first.defect, headline }, [...new Set(ownFirst)], order);
      const isOfValidCall = exoticness(first.primary) === 0 && !isOfDocument(first.primary);
      return { cause, rank: isOfValidCall ? 0 : 1 };
    })
    .sort(
      ({ cause: a, rank: rankA }, { cause: b, rank: rankB }) =>
        rankOfLevel(a.level) - rankOfLevel(b.level) ||
        rankA - rankB ||
        b.operations.length - a.operations.length ||
        (a.id < b.id ? -1 : 1),
    )
    .map(({ cause }) => cause);
}

/** Whether the value that shows a finding holds anything but plain ASCII. */
function isExotic(one: Sighting): boolean {
  return !/^[\x20-\x7e]*$/.test(sentOf(one).value ?? '');
}

/** The other kinds of calls that fail in the same way; kinds without a description are only counted. */
function othersText(kinds: readonly string[]): string {
  const [named, ...others] = kinds.toSorted((a, b) => Number(a === 'A call') - Number(b === 'A call'));
  if (named === undefined) return '';
  const what = named === 'A call' ? 'another kind of call' : beginning(named);
  if (others.length === 0) return `; ${what} fails as well`;
  const more = others.length === 1 ? 'another kind of call' : `${others.length} other kinds of calls`;
  return `; ${what} and ${more} fail as well`;
}

function rootCauseOf(
  { key, headline, answeredBy, fix }: Defect,
  sightings: readonly Sighting[],
  order: ReadonlyMap<string, number>,
): RootCause {
  const unique = (of: (sighting: Sighting) => string): string[] => [...new Set(sightings.map(of))];
  const subject = isOfService(answeredBy) ? 'service' : 'in front of the service';
  return {
    id: digestOf(key),
    headline,
    level: sightings.map(({ level }) => level).sort((a, b) => rankOfLevel(a) - rankOfLevel(b))[0] ?? 'info',
    subject: sightings.some(isOfDocument) ? 'OpenAPI document' : subject,
    ...defined({ answeredBy }),
    fix,
    requirements: unique(({ requirement }) => requirement),
    operations: unique(({ operation }) => operation).sort(
      (a, b) => (order.get(a) ?? 0) - (order.get(b) ?? 0),
    ),
    findings: unique(({ id }) => id),
    ...defined({ exclude: excludeLines(sightings) }),
    accept: acceptLines(sightings, headline),
  };
}

const load = createRequire(import.meta.url);

/** Lines of a target file that exclude the classes of values that show a defect; undefined where no finding has one. */
function excludeLines(sightings: readonly Sighting[]): string | undefined {
  const classes = new Set(sightings.flatMap(({ excludable = [] }) => excludable));
  if (classes.size === 0) return undefined;
  const reason = '<why the target cannot take these values>';
  const lines = [...classes].sort().map((name) => `  - { class: ${name}, reason: ${reason} }`);
  const excludable = sightings.filter((one) => one.excludable !== undefined);
  const values = new Set(excludable.map((one) => sentOf(one).value ?? ''));
  const [value = ''] = values;
  // A class is the least that a target file can exclude.
  const width = `# leaves out all values of ${lines.length === 1 ? 'this class' : 'these classes'}; known to fail: ${value}`;
  return ['exclude:', ...(values.size === 1 && value !== '' ? [width] : []), ...lines].join('\n');
}

/** Entries of a baseline that accept each finding once; the user fills in owner and last day. */
function acceptLines(sightings: readonly Sighting[], headline: string): string {
  const acceptance = { reason: headline, owner: '<team>', expires: '<YYYY-MM-DD>' };
  const entries = new Map(sightings.map((one) => [one.id, entryAccepting(one, one, acceptance)]));
  // Slow to load, and of no use to a run that finds nothing.
  const { stringify } = load('yaml') as typeof Yaml;
  return stringify({ accepted: [...entries.values()] }, { lineWidth: 0 }).trimEnd();
}
