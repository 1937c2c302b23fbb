import type { Element } from 'xast';
import { toXml } from 'xast-util-to-xml';
import { x } from 'xastscript';
import { groupBy } from '../../harness/group-by.ts';
import type { CaseResult, Report } from '../../harness/model/report.ts';
import { reproductionOf, violationLines } from '../blocks/findings.ts';
import { escapeText } from '../model/escape.ts';
import { runFault } from '../model/run-figures.ts';
import { type Violation, violationsOf } from '../model/violation.ts';
import { duration } from '../model/wording.ts';

// Long enough for any line that a person runs; a longer one is cut.
const longestShellLine = 20_000;

type Tag = 'failure' | 'error' | 'skipped';

/** One `testcase`, with the tag by which it is counted. */
interface Case {
  readonly tag: Tag | null;
  readonly element: Element;
}

interface Suite {
  readonly name: string;
  readonly properties: readonly Element[];
  readonly cases: readonly Case[];
}

/**
 * JUnit XML: a `testsuite` for each operation, a `testcase` for each of its cases. Dashboards group by `classname` and
 * recognise a test by it and its name, so both are made of ids that never change, and never of titles. Cases that are
 * not applicable are left out, as they are left out of every count.
 */
export function renderJunit(report: Report): string {
  const suites = suitesOf(report);
  const { tests, failures, errors } = counts(suites.flatMap(({ cases }) => cases));
  const root = x(
    'testsuites',
    {
      name: escapeText(report.harness.name),
      ...{ tests, failures, errors },
      time: (report.run.durationMs / 1000).toFixed(3),
    },
    lines(suites.map((suite, index) => suiteElement(suite, index, report))),
  );
  const declaration = { type: 'instruction', name: 'xml', value: 'version="1.0" encoding="UTF-8"' } as const;
  const xml = toXml([declaration, { type: 'text', value: '\n' }, root], { closeEmptyElements: true });
  // Not well-formed in text, and the one thing that the library lets through; here it never ends a CDATA section.
  return `${xml.replaceAll(']]>', ']]&gt;')}\n`;
}

function suitesOf(report: Report): Suite[] {
  const { name } = report.harness;
  // The ids of custom checks differ from ours.
  const all = [...report.results, ...(report.additional?.results ?? [])];
  const applicable = all.filter(({ outcome }) => outcome !== 'not-applicable');
  const operations = new Map(report.operations.map((operation) => [operation.id, operation]));
  const suites = [...groupBy(applicable, ({ operation }) => operation)].map(([id, results]): Suite => {
    const { method = '', path = '' } = operations.get(id) ?? {};
    const properties = [
      property('operation', `${method} ${path}`),
      property('target', report.target.baseUrl),
    ];
    return { name: id, properties, cases: results.map((result) => caseOf(result, report)) };
  });
  const fault = runFault(report);
  if (fault === null) return suites;
  const element = testcase(`${name}.run`, 'reached its end', [tagged('error', fault, 'run', [fault])]);
  return [{ name: 'run', properties: [], cases: [{ tag: 'error', element }] }, ...suites];
}

function property(name: string, value: string): Element {
  return x('property', { name, value: escapeText(value) });
}

function suiteElement({ name, properties, cases }: Suite, id: number, report: Report): Element {
  const { skipped, ...others } = counts(cases);
  return x(
    'testsuite',
    { id, name: escapeText(name), ...others, skipped, timestamp: report.run.startedAt },
    lines([
      ...(properties.length > 0 ? [x('properties', {}, ...properties)] : []),
      ...cases.map(({ element }) => element),
    ]),
  );
}

function counts(
  cases: readonly Case[],
): Readonly<Record<'tests' | 'failures' | 'errors' | 'skipped', number>> {
  const count = (wanted: Tag): number => cases.filter(({ tag }) => tag === wanted).length;
  const failures = count('failure');
  return { tests: cases.length, failures, errors: count('error'), skipped: count('skipped') };
}

function caseOf(result: CaseResult, report: Report): Case {
  const { failures, warnings, notes } = violationsOf({ ...report, results: [result] });
  const tell = (violation: Violation): string[] => evidenceLines(violation, report);
  const aside = [...warnings, ...notes].flatMap(tell);
  const out = aside.length > 0 ? [x('system-out', {}, aside.join('\n'))] : [];
  const made = (tag: Tag | null, children: readonly Element[]): Case => ({
    tag,
    element: testcase(`${report.harness.name}.${result.operation}`, result.check, [...children, ...out]),
  });
  switch (result.outcome) {
    case 'fail': {
      // Jenkins keeps only one failure of a test, so all findings of a case share one.
      const text = failures.flatMap(tell);
      // The gate passes findings that the baseline accepts, so a dashboard must pass them too.
      if (failures.length > 0 && failures.every(({ finding }) => finding?.accepted !== undefined))
        return made('skipped', [tagged('skipped', `accepted: ${summaryOf(failures)}`, 'accepted', text)]);
      return made('failure', [tagged('failure', summaryOf(failures), result.requirement, text)]);
    }
    case 'error':
      return made('error', [tagged('error', result.message, 'HarnessError', [result.message])]);
    case 'inconclusive': {
      const remedy = result.remedy?.split('\n') ?? [];
      const message = [result.message, ...(remedy.length > 0 ? [`to test it: ${remedy.join(' ')}`] : [])];
      const text = remedy.length > 0 ? [result.message, 'to test it:', ...remedy] : [result.message];
      return made('skipped', [tagged('skipped', message.join(' — '), 'inconclusive', text)]);
    }
    default:
      return made(null, []);
  }
}

function testcase(classname: string, name: string, children: readonly Element[]): Element {
  const attributes = { classname: escapeText(classname), name: escapeText(name) };
  return x('testcase', attributes, children.length > 0 ? lines(children) : []);
}

function tagged(tag: Tag, message: string, type: string, text: readonly string[]): Element {
  const shown = text.map((line) => escapeText(line, longestShellLine)).join('\n');
  return x(tag, { message: escapeText(message), type: escapeText(type) }, shown);
}

function summaryOf(failures: readonly Violation[]): string {
  const [first] = failures;
  if (first === undefined) return '';
  const { expected, actual, headline } = first;
  const got = expected === null || actual === null ? '' : `: expected ${expected}, got ${actual}`;
  return `${headline}${got}${failures.length > 1 ? ` (and ${failures.length - 1} more)` : ''}`;
}

function evidenceLines(violation: Violation, report: Report): string[] {
  const exchange = violation.finding?.exchange;
  const answered = exchange?.response?.status ?? exchange?.failure?.kind;
  const reproduction = reproductionOf(violation, report);
  return [
    ...violationLines(violation, report),
    ...(answered === undefined ? [] : [`answered ${answered} after ${duration(exchange?.durationMs ?? 0)}`]),
    ...(reproduction === null ? [] : [escapeText(reproduction, longestShellLine)]),
  ];
}

function lines(children: readonly Element[]): (Element | string)[] {
  return children.length === 0 ? [] : ['\n', ...children.flatMap((child) => [child, '\n'])];
}
