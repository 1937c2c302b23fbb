import { hash } from 'node:crypto';
import {
  type Label,
  LabelName,
  Severity,
  Stage,
  Status,
  type StepResult,
  type TestResult,
} from 'allure-js-commons';
import {
  createStepResult,
  createTestResult,
  getTestResultHistoryId,
  getTestResultTestCaseId,
  stringifyEnvInfo,
} from 'allure-js-commons/sdk/reporter';
import type { CaseResult, Level, Outcome, Report } from '../../harness/model/report.ts';
import { printableJson } from '../../harness/printable-json.ts';
import { plain } from '../blocks/block.ts';
import {
  lineOf,
  reproductionOf,
  untestedLines,
  violationFacts,
  violationLines,
  violationTitle,
} from '../blocks/findings.ts';
import type { RenderedFile } from '../formats.ts';
import { type Violation, violationsOf } from '../model/root-causes.ts';
import { runFault } from '../model/run-figures.ts';
import { escapeText } from '../model/wording.ts';

const folder = 'allure-results';
// Tells our files from those of other tools, which may share the folder.
const prefix = 'conformance-';

const severities: Readonly<Record<Level, Severity>> = {
  must: Severity.CRITICAL,
  should: Severity.NORMAL,
  info: Severity.TRIVIAL,
};

const statuses: Readonly<Record<Outcome, Status>> = {
  pass: Status.PASSED,
  fail: Status.FAILED,
  warn: Status.PASSED,
  inconclusive: Status.SKIPPED,
  'not-applicable': Status.SKIPPED,
  error: Status.BROKEN,
};

/**
 * Allure results, one for each case that applies, with findings as steps; without host name or thread, of which the
 * report knows nothing. The same report gives the same files, and the same case has the same history in every run.
 */
export function renderAllure(report: Report): RenderedFile[] {
  const files = report.results
    .filter(({ outcome }) => outcome !== 'not-applicable')
    .flatMap((result) => caseFiles(result, report));
  const fault = runFault(report);
  if (fault !== null) {
    const test = newTest('the run reached its end', report);
    const statusDetails = { message: escapeText(fault) };
    files.push(resultFile({ ...test, status: Status.BROKEN, statusDetails }));
  }
  const environment = stringifyEnvInfo({
    target: escapeText(report.target.baseUrl),
    harness: `${report.harness.name} ${report.harness.version}`,
    contract: report.contract.digest,
    seed: String(report.run.seed),
    verdict: report.verdict,
  });
  // The one name that Allure prescribes: the last writer wins where tools share the folder.
  return [...files, { path: `${folder}/environment.properties`, text: `${environment}\n` }];
}

function caseFiles(result: CaseResult, report: Report): RenderedFile[] {
  const { failures, warnings, notes } = violationsOf({ ...report, results: [result] });
  const test = newTest(nameOf(result), report);
  test.labels.push(...labelsOf(result));
  test.status = statuses[result.outcome];
  test.statusDetails = detailsOf(result, [...failures, ...warnings], report);
  // Allure knows no warning: a step that failed would contradict a test that passed.
  const steps = [...failures, ...warnings, ...notes].map((violation, at) =>
    stepOf(violation, at < failures.length ? Status.FAILED : Status.PASSED, `${test.uuid}-${at}`, report),
  );
  test.steps.push(...steps.map(({ step }) => step));
  const times = test.steps.flatMap(({ start, stop }) => [start ?? test.start ?? 0, stop ?? 0]);
  if (times.length > 0) {
    test.start = Math.min(...times);
    test.stop = Math.max(...times);
  }
  return [resultFile(test), ...steps.flatMap(({ files }) => files)];
}

/** What Allure calls a case. */
export function nameOf({ operation, check }: CaseResult): string {
  return `${operation}: ${check}`;
}

/** The labels of a case, without those that all cases of a run share. */
export function labelsOf({ operation, check, requirement, level, outcome }: CaseResult): readonly Label[] {
  return [
    { name: LabelName.SUITE, value: escapeText(operation) },
    { name: LabelName.FEATURE, value: escapeText(check.split('/')[0] ?? '') },
    { name: LabelName.STORY, value: escapeText(requirement) },
    { name: LabelName.SEVERITY, value: severities[level] },
    { name: LabelName.TAG, value: level },
    ...(outcome === 'warn' ? [{ name: LabelName.TAG, value: 'warn' }] : []),
  ];
}

function detailsOf(
  result: CaseResult,
  violations: readonly Violation[],
  report: Report,
): TestResult['statusDetails'] {
  const [first] = violations;
  if (first !== undefined) {
    const facts = violationFacts(first, report).filter(({ name }) => name === 'expectation');
    const lines = [violationTitle(first), ...facts.map(lineOf)].map((text) => plain(text));
    const more = violations.length > 1 ? ` (and ${violations.length - 1} more)` : '';
    return {
      message: lines.join('\n') + more,
      ...(first.expected === null ? {} : { expected: escapeText(first.expected) }),
      ...(first.actual === null ? {} : { actual: escapeText(first.actual) }),
    };
  }
  if (result.outcome === 'pass') return {};
  return {
    message: untestedLines(result)
      .map((line) => escapeText(line))
      .join('\n'),
  };
}

function stepOf(
  violation: Violation,
  status: Status,
  name: string,
  report: Report,
): { readonly step: StepResult; readonly files: RenderedFile[] } {
  const step: StepResult = {
    ...createStepResult(),
    name: violationLines(violation, report).join(' · '),
    status,
    stage: Stage.FINISHED,
  };
  if (violation.finding === null) return { step, files: [] };
  const { exchange } = violation.finding;
  step.start = Date.parse(exchange.startedAt);
  step.stop = step.start + Math.round(exchange.durationMs);
  const attach = (title: string, type: string, file: string, text: string): RenderedFile => {
    const source = `${prefix}${name}-${file}`;
    step.attachments.push({ name: title, type, source });
    return { path: `${folder}/${source}`, text };
  };
  return {
    step,
    files: [
      attach('reproduction', 'text/plain', '0-attachment.txt', `${reproductionOf(violation, report)}\n`),
      attach('exchange', 'application/json', '1-attachment.json', `${printableJson(exchange, 2)}\n`),
    ],
  };
}

function newTest(name: string, report: Report): TestResult {
  const start = Date.parse(report.run.startedAt);
  const test: TestResult = {
    ...createTestResult(uuidOf(`${report.run.startedAt} ${name}`)),
    name: escapeText(name),
    fullName: `${report.harness.name}: ${escapeText(name)}`,
    stage: Stage.FINISHED,
    start,
    stop: start,
    labels: [
      { name: LabelName.PARENT_SUITE, value: report.harness.name },
      { name: LabelName.FRAMEWORK, value: report.harness.name },
    ],
  };
  return {
    ...test,
    testCaseId: getTestResultTestCaseId(test) ?? '',
    historyId: getTestResultHistoryId(test),
  };
}

function resultFile(test: TestResult): RenderedFile {
  const path = `${folder}/${prefix}${test.uuid}-result.json`;
  return { path, text: `${printableJson(test)}\n` };
}

/** A UUID that follows from a text (RFC 9562, version 8). */
function uuidOf(text: string): string {
  return hash('sha256', text).replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-8$3-8$4-$5');
}
