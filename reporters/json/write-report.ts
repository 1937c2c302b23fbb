import type { ErrorObject } from 'ajv';
import { isCustom } from '../../harness/checks/custom-check.ts';
import { firstFew } from '../../harness/first-few.ts';
import type { Finding, Report, Summary } from '../../harness/model/report.ts';
import { printableJson } from '../../harness/printable-json.ts';
import { summarise } from '../../harness/results/verdict.ts';
import { compileSchema, type Validation } from '../../spec/json-schema.ts';
import { escapeText } from '../model/wording.ts';

/** A text or a value is not a report of the known version; the message says why, for people. */
export class ReportFormatError extends Error {
  override readonly name = 'ReportFormatError';
}

const knownVersions: readonly unknown[] = ['1.0', '1.1'] satisfies Report['schemaVersion'][];
const mostProblems = 3;

let compiled: ((value: unknown) => Validation<Report>) | undefined;

/** Compiles the schema of reports in advance, because the first report would otherwise wait for it. */
export function prepareValidation(): (value: unknown) => Validation<Report> {
  compiled ??= compileSchema<Report>('report.schema.json');
  return compiled;
}

function problemText({ instancePath, message, params }: ErrorObject): string {
  const extra = (params as { additionalProperty?: unknown }).additionalProperty;
  const which = typeof extra === 'string' ? ` (${escapeText(extra, 60)})` : '';
  return `${escapeText(instancePath === '' ? '/' : instancePath)} ${message ?? 'is not valid'}${which}`;
}

function checked(value: unknown, blame: string): Report {
  const refuse = (problems: readonly string[]): never => {
    throw new ReportFormatError(`${blame}: ${firstFew(problems, mostProblems).join('; ')}`);
  };
  const result = prepareValidation()(value);
  if (!result.ok) return refuse(result.errors.map(problemText));
  const contradictions = contradictionsOf(result.value);
  return contradictions.length > 0 ? refuse(contradictions.map((text) => escapeText(text))) : result.value;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    const start = text.trim().slice(0, 1);
    if (start === '') throw new ReportFormatError('Not a report: the file is empty.');
    if (start !== '{') throw new ReportFormatError('Not a report: the file is not JSON.');
    const remedy = 'Run again to write it anew.';
    throw new ReportFormatError(`Not a whole report: the JSON is cut off or damaged. ${remedy}`);
  }
}

/** The text of report.json; throws a ReportFormatError instead of writing a report that could not be read again. */
export function serialiseReport(report: Report): string {
  const text = printableJson(report, 2);
  // Validates the JSON that a reader will get, because JSON drops undefined and turns NaN into null.
  checked(JSON.parse(text), 'The report was not written because it would be invalid');
  return `${text}\n`;
}

/** Reads the text of a report.json; throws a ReportFormatError with a plain reason for all that is not one, whole and of a known version. */
export function parseReport(text: string): Report {
  const value = parseJson(text.startsWith('\ufeff') ? text.slice(1) : text);
  const { schemaVersion: version } = Object(value) as { readonly schemaVersion?: unknown };
  if (version === undefined) {
    throw new ReportFormatError('Not a report of commerce-conformance: the file has no schemaVersion.');
  }
  if (!knownVersions.includes(version)) {
    const shown = escapeText(JSON.stringify(version), 40);
    throw new ReportFormatError(
      `This report has schemaVersion ${shown}; this version reads ${knownVersions.join(' and ')}. Read it with the version that wrote it.`,
    );
  }
  return checked(value, 'Not a valid report');
}

/** Contradictions within a report that no schema can detect; empty for none. */
function contradictionsOf(report: Report): string[] {
  const { results, summary, verdict, complete, target } = report;
  const counted = summarise(results);
  const isPassed = verdict === 'conformant' || verdict === 'incomplete';
  const known = new Set(report.operations.map(({ id }) => id));
  const unknown = results.find(({ operation }) => !known.has(operation));
  return [
    ...miscounts('summary', summary, counted, 'results hold'),
    ...additionalContradictions(report),
    counted.fail > 0 && isPassed && `verdict is ${verdict}, but ${counted.fail} of the results are a fail`,
    (!/^https?:\/\/[^/?#]/.test(target.baseUrl) || !URL.canParse(target.baseUrl)) &&
      'target.baseUrl is not an http or https URL',
    verdict === 'conformant' && !complete && 'verdict is conformant, but complete is false',
    verdict === 'conformant' &&
      counted.error > 0 &&
      `verdict is conformant, but ${counted.error} of the results are a harness error`,
    ...baselineContradictions(report),
    unknown !== undefined && `results name ${unknown.operation}, which operations lacks`,
  ].filter((problem) => typeof problem === 'string');
}

function miscounts(name: string, told: Summary, counted: Summary, where: string): string[] {
  return (Object.keys(counted) as (keyof Summary)[])
    .filter((outcome) => counted[outcome] !== told[outcome])
    .map((outcome) => `${name}.${outcome} is ${told[outcome]}, but ${where} ${counted[outcome]}`);
}

/** Results of custom checks must be separate, or they could be mistaken for those of built-in checks. */
function additionalContradictions({ additional, results }: Report): (string | false)[] {
  const among = results.find(({ check }) => isCustom(check));
  const own = additional?.results ?? [];
  const foreign = own.find(({ check }) => !isCustom(check));
  return [
    among !== undefined && `results hold ${among.check}, which belongs to additional`,
    ...(additional
      ? miscounts('additional.summary', additional.summary, summarise(own), 'its results hold')
      : []),
    foreign !== undefined && `additional holds ${foreign.check}, which is not a custom check`,
  ];
}

function baselineContradictions({ baseline, results }: Report): (string | false)[] {
  const isAccepted = ({ accepted }: Finding): boolean => accepted !== undefined;
  const accepted = results.flatMap(({ findings }) => findings).filter(isAccepted).length;
  if (baseline === undefined) return [accepted > 0 && 'findings are accepted, but no baseline is named'];
  const failed = baseline.unaccepted.length + baseline.stale.length + baseline.expired.length;
  const isBare = results.some(({ outcome, findings }) => outcome === 'fail' && !findings.some(isAccepted));
  return [
    baseline.accepted !== accepted &&
      `baseline.accepted is ${baseline.accepted}, but ${accepted} findings are accepted`,
    baseline.passed &&
      (failed > 0 || isBare) &&
      'baseline.passed is true, but something is not accepted, stale or expired',
  ];
}
