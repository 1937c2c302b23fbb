import type { Element } from 'xast';
import { toXml } from 'xast-util-to-xml';
import { x } from 'xastscript';
import { groupBy } from '../../harness/group-by.ts';
import type { CaseResult, Report } from '../../harness/model/report.ts';
import { reproductionOf, untestedLines, violationLines } from '../blocks/findings.ts';
import { type Violation, violationsOf } from '../model/root-causes.ts';
import { runFault } from '../model/run-figures.ts';
import { duration, escapeText } from '../model/wording.ts';

// Long enough for any line that a person runs; a longer one is cut.
const longestShellLine = 20_000;

type Tag = 'failure' | 'error' | 'skipped';

/**
 * JUnit XML: a `testsuite` for each operation, a `testcase` for each of its cases. Dashboards group by `classname` and
 * recognise a test by it and its name, so both are made of ids that never change, and never of titles. Cases that are
 * not applicable are left out, as they are left out of every count.
 */
export function renderJunit(report: Report): string {
  const { harness, run, operations, additional, target } = report;
  const fault = runFault(report);
  // The ids of custom checks differ from ours.
  const all = [...report.results, ...(additional?.results ?? [])];
  const applicable = all.filter(({ outcome }) => outcome !== 'not-applicable');
  const suites = [...groupBy(applicable, ({ operation }) => operation)].map(([name, results]) => {
    const { method = '', path = '' } = operations.find(({ id }) => id === name) ?? {};
    const about = [property('operation', `${method} ${path}`), property('target', target.baseUrl)];
    const cases = results.map((result) => caseElement(result, report));
    return { name, properties: [x('properties', {}, ...about)], cases };
  });
  if (fault !== null) {
    const failed = testcase(`${harness.name}.run`, 'reached its end', [
      tagged('error', fault, 'run', [fault]),
    ]);
    suites.unshift({ name: 'run', properties: [], cases: [failed] });
  }
  const { tests, failures, errors } = counts(suites.flatMap(({ cases }) => cases));
  const elements = suites.map(({ name, properties, cases }, id) => {
    const attributes = { id, name: escapeText(name), ...counts(cases), timestamp: run.startedAt };
    return x('testsuite', attributes, lines([...properties, ...cases]));
  });
  const time = (run.durationMs / 1000).toFixed(3);
  const root = x(
    'testsuites',
    { name: escapeText(harness.name), tests, failures, errors, time },
    lines(elements),
  );
  const declaration = { type: 'instruction', name: 'xml', value: 'version="1.0" encoding="UTF-8"' } as const;
  const xml = toXml([declaration, { type: 'text', value: '\n' }, root], { closeEmptyElements: true });
  // Not well-formed in text, and the one thing that the library lets through; here it never ends a CDATA section.
  return `${xml.replaceAll(']]>', ']]&gt;')}\n`;
}

function property(name: string, value: string): Element {
  return x('property', { name, value: escapeText(value) });
}

type Counts = Readonly<Record<'tests' | 'failures' | 'errors' | 'skipped', number>>;

function counts(cases: readonly Element[]): Counts {
  const names = cases.map(({ children }) => children.map((child) => child.type === 'element' && child.name));
  const count = (tag: Tag): number => names.filter((own) => own.includes(tag)).length;
  return {
    tests: cases.length,
    failures: count('failure'),
    errors: count('error'),
    skipped: count('skipped'),
  };
}

function caseElement(result: CaseResult, report: Report): Element {
  const { failures, warnings, notes } = violationsOf({ ...report, results: [result] });
  const tell = (violation: Violation): string[] => evidenceLines(violation, report);
  const aside = [...warnings, ...notes].flatMap(tell);
  const out = aside.length > 0 ? [x('system-out', {}, aside.join('\n'))] : [];
  const classname = `${report.harness.name}.${result.operation}`;
  return testcase(classname, result.check, [...outcomeElements(result, failures, tell), ...out]);
}

function outcomeElements(
  result: CaseResult,
  failures: readonly Violation[],
  tell: (violation: Violation) => string[],
): Element[] {
  const { message, remedy, requirement } = result;
  switch (result.outcome) {
    case 'fail': {
      // Jenkins keeps only one failure of a test, so all findings of a case share one.
      const text = failures.flatMap(tell);
      // The gate passes findings that the baseline accepts, so a dashboard must pass them too.
      if (failures.length > 0 && failures.every(({ finding }) => finding?.accepted !== undefined))
        return [tagged('skipped', `accepted: ${summaryOf(failures)}`, 'accepted', text)];
      return [tagged('failure', summaryOf(failures), requirement, text)];
    }
    case 'error':
      return [tagged('error', message, 'HarnessError', [message])];
    case 'inconclusive': {
      const steps = remedy?.split('\n') ?? [];
      const way = steps.length > 0 ? ` — to test it: ${steps.join(' ')}` : '';
      return [tagged('skipped', `${message}${way}`, 'inconclusive', untestedLines(result))];
    }
    default:
      return [];
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
