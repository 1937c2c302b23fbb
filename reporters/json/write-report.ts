import type { ErrorObject } from 'ajv';
import { firstFew } from '../../harness/first-few.ts';
import type { Report } from '../../harness/model/report.ts';
import { printableJson } from '../../harness/printable-json.ts';
import { compileSchema, type Validation } from '../../spec/json-schema.ts';
import { escapeText } from '../model/escape.ts';
import { contradictionsOf } from './report-consistency.ts';

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
    throw new ReportFormatError(
      start === '{'
        ? 'Not a whole report: the JSON is cut off or damaged. Run again to write it anew.'
        : 'Not a report: the file is not JSON.',
    );
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
