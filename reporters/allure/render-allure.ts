import { createHash } from 'node:crypto';
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
import type { CaseResult, Level, Report } from '../../harness/model/report.ts';
import { printableJson } from '../../harness/printable-json.ts';
import { lineOf, violationFacts, violationTitle } from '../blocks/findings.ts';
import { plain } from '../blocks/text.ts';
import type { RenderedFile } from '../formats.ts';
import { escapeText } from '../model/escape.ts';
import { runFault } from '../model/run-figures.ts';
import { type Violation, violationsOf } from '../model/violation.ts';

const folder = 'allure-results';
// Tells our files from those of other tools, which may share the folder.
const prefix = 'conformance-';

const severities: Readonly<Record<Level, Severity>> = {
  must: Severity.CRITICAL,
  should: Severity.NORMAL,
  info: Severity.TRIVIAL,
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
  if (fault !== null) files.push(resultFile(faultResult(fault, report)));
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
  test.status = statusOf(result);
  test.statusDetails = detailsOf(result, [...failures, ...warnings], report);
  const attachments: RenderedFile[] = [];
  const addSteps = (violations: readonly Violation[], status: Status): void => {
    for (const violation of violations) {
      const { step, files } = stepOf(violation, status, `${test.uuid}-${test.steps.length}`, report);
      test.steps.push(step);
      attachments.push(...files);
    }
  };
  addSteps(failures, Status.FAILED);
  // Allure knows no warning: a step that failed would contradict a test that passed.
  addSteps([...warnings, ...notes], Status.PASSED);
  const times = test.steps.flatMap(({ start, stop }) => [start ?? test.start ?? 0, stop ?? 0]);
  if (times.length > 0) {
    test.start = Math.min(...times);
    test.stop = Math.max(...times);
  }
  return [resultFile(test), ...attachments];
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

function statusOf({ outcome }: CaseResult): Status {
  switch (outcome) {
    case 'fail':
      return Status.FAILED;
    case 'error':
      return Status.BROKEN;
    case 'inconclusive':
      return Status.SKIPPED;
    default:
      return Status.PASSED;
  }
}

function detailsOf(
  { message, remedy, outcome }: CaseResult,
  violations: readonly Violation[],
  report: Report,
): TestResult['statusDetails'] {
  const [first] = violations;
  if (first !== undefined) {
    const facts = violationFacts(first, report).filter(({ name }) => name === 'expectation');
    const more = violations.length > 1 ? ` (and ${violations.length - 1} more)` : '';
    return {
      message: [violationTitle(first), ...facts.map(lineOf)].map((text) => plain(text)).join('\n') + more,
      ...(first.expected === null ? {} : { expected: escapeText(first.expected) }),
      ...(first.actual === null ? {} : { actual: escapeText(first.actual) }),
    };
  }
  if (outcome === 'pass') return {};
  const lines = [message, ...(remedy === undefined ? [] : ['to test it:', ...remedy.split('\n')])];
  return { message: lines.map((line) => escapeText(line)).join('\n') };
}

function stepOf(
  violation: Violation,
  status: Status,
  name: string,
  report: Report,
): { readonly step: StepResult; readonly files: RenderedFile[] } {
  const facts = [violationTitle(violation), ...violationFacts(violation, report).map(lineOf)];
  const step: StepResult = {
    ...createStepResult(),
    name: facts.map((fact) => plain(fact)).join(' · '),
    status,
    stage: Stage.FINISHED,
  };
  if (violation.finding === null) return { step, files: [] };
  const { exchange, reproduction } = violation.finding;
  step.start = Date.parse(exchange.startedAt);
  step.stop = step.start + Math.round(exchange.durationMs);
  const files: RenderedFile[] = [];
  const attach = (title: string, type: string, extension: string, content: string): void => {
    const source = `${prefix}${name}-${files.length}-attachment.${extension}`;
    step.attachments.push({ name: title, type, source });
    files.push({ path: `${folder}/${source}`, text: content });
  };
  attach('reproduction', 'text/plain', 'txt', `${reproduction}\n`);
  attach('exchange', 'application/json', 'json', `${printableJson(exchange, 2)}\n`);
  return { step, files };
}

function faultResult(fault: string, report: Report): TestResult {
  return {
    ...newTest('the run reached its end', report),
    status: Status.BROKEN,
    statusDetails: { message: escapeText(fault) },
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
  const hex = createHash('sha256').update(text).digest('hex');
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
}
