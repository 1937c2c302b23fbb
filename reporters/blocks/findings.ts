import { groupBy } from '../../harness/group-by.ts';
import type { CaseResult, Report } from '../../harness/model/report.ts';
import { type Place, reproductionLine } from '../model/replay-command.ts';
import type { RootCauseGroup, Violation } from '../model/root-causes.ts';
import { plural } from '../model/wording.ts';
import {
  type Fact,
  type FactName,
  type FindingBlock,
  joined,
  leads,
  listed,
  plain,
  say,
  type Text,
  upTo,
} from './block.ts';

const mostOperations = 8;

type Texts = Partial<Record<FactName, Text | null | undefined>>;

function factsIn(texts: Texts): Fact[] {
  return (Object.keys(leads) as FactName[]).flatMap((name) => {
    const text = texts[name] ?? null;
    return text === null ? [] : [{ name, lead: leads[name], text }];
  });
}

/** The whole line of a fact. */
export function lineOf({ lead, text }: Fact): Text {
  return lead === '' ? text : [lead, ...text];
}

/** A shell line that shows a violation again; null where the case has no evidence. */
export function reproductionOf({ finding }: Violation, report: Report, place?: Place): string | null {
  return finding === null ? null : reproductionLine(report, finding, place);
}

/** A violation in one line. */
export function violationTitle({ requirement, level, operation, headline }: Violation): Text {
  return say`${requirement} ${level}  ${operation}: ${headline}`;
}

/** The facts about one violation. */
export function violationFacts(violation: Violation, report: Report): Fact[] {
  return factsIn(violationTexts(violation, report));
}

/** A violation and the facts about it, a line each. */
export function violationLines(violation: Violation, report: Report): string[] {
  const facts = violationFacts(violation, report).map(lineOf);
  return [violationTitle(violation), ...facts].map((text) => plain(text));
}

/** Why a case was not tested, and how to test it, a line each. */
export function untestedLines({ message, remedy }: Pick<CaseResult, 'message' | 'remedy'>): string[] {
  return [message, ...(remedy === undefined ? [] : ['to test it:', ...remedy.split('\n')])];
}

function expectationOf({ expected, actual }: Violation): Text | null {
  if (expected === null) return actual === null ? null : say`got ${actual}`;
  return actual === null ? say`expected ${expected}` : say`expected ${expected}, got ${actual}`;
}

function violationTexts(violation: Violation, { run }: Report): Texts {
  const { finding, headline, message } = violation;
  const known = {
    expectation: expectationOf(violation),
    detail: headline === message ? null : say`${message}`,
  };
  if (finding === null) return known;
  const { requestId, traceId, responseIds = [], accepted } = finding;
  const { times, of } = finding.seen;
  const ids = [
    requestId && say`x-request-id ${requestId}`,
    traceId && say`trace ${traceId}`,
    ...responseIds.map(({ header, value }) => say`the response names ${header} ${value}`),
  ].filter((id) => typeof id === 'object');
  const frequency = `${times < of ? 'intermittent, ' : ''}seen in ${times} of ${of} ${of === 1 ? 'try' : 'tries'}`;
  return {
    ...known,
    contract: say`${finding.contract}`,
    seen: say`${[frequency]} · seed ${run.seed} · finding ${finding.id}`,
    logged: ids.length === 0 ? null : joined(ids, ' · '),
    accepted: accepted && say`accepted by ${accepted.owner} until ${accepted.expires}: ${accepted.reason}`,
  };
}

/** A root cause with all that is known of it. */
export function findingBlock(group: RootCauseGroup, report: Report, place?: Place): FindingBlock {
  const { members, decisive, operations, named, headline } = group;
  const [example, ...others] = members;
  const texts = violationTexts(example, report);
  const usual = expectationOf(example);
  const expectations = others.map(expectationOf).filter((text) => text !== null);
  const also = new Map(expectations.map((text) => [plain(text), text]));
  if (usual !== null) also.delete(plain(usual));
  const accepted = members.filter(({ finding }) => finding?.accepted !== undefined).length;
  const places = [...groupBy(members, ({ operation }) => operation)].map(
    ([operation, { length }]) => say`${upTo(80, operation)}${[length > 1 ? ` (${length})` : '']}`,
  );
  const isInFront = named?.subject === 'in front of the service';
  const excludable = isInFront ? members.flatMap(({ finding }) => finding?.excludable ?? []) : [];
  const classes = [...new Set(excludable)].sort().map((one) => say`${one}`);
  const counts = `${plural(members.length, 'finding')} at ${plural(operations.length, 'operation')}`;
  const isNew = (id: string): boolean => members.some(({ finding }) => finding?.id === id);
  const added = report.baseline?.unaccepted.filter(isNew).map((id) => say`${id}`) ?? [];
  const [only] = operations;
  const where =
    only === undefined || operations.length > 1 || headline.endsWith(` at ${only}`) ? [] : say`${only}: `;
  return {
    kind: 'finding',
    rule: say`${decisive.requirement} ${[decisive.level]}`,
    title: say`${where}${headline}`,
    facts: factsIn({
      ...texts,
      places: members.length === 1 ? null : say`${[counts]}: ${listed(places, mostOperations)}`,
      also: also.size === 0 ? null : listed([...also.values()], 3, '; '),
      'answered by': named?.answeredBy && say`${named.answeredBy.name}: ${named.answeredBy.why}`,
      fix: named && say`${named.fix}`,
      classes: classes.length === 0 ? null : listed(classes, 12),
      new: added.length === 0 ? null : listed(added, 12),
      accepted: texts.accepted ?? (accepted > 0 ? [`${plural(accepted, 'finding')} accepted`] : null),
      check: say`${example.check}`,
    }),
    reproduction: reproductionOf(example, report, place),
    group,
  };
}
