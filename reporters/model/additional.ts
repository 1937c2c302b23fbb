import type { Report } from '../../harness/model/report.ts';
import { findingText } from './finding-text.ts';
import { groupBy } from './group-by.ts';
import { type Violation, violationsOf } from './violation.ts';
import { firstOf, plural } from './wording.ts';

/** One result of custom checks. */
export interface AdditionalEntry {
  readonly says: 'fails' | 'warns' | 'noted' | 'failed to run' | 'not tested';
  readonly title: string;
  readonly details: readonly string[];
  readonly reproduction: string | null;
}

/** The results of custom checks, in words that `show` made safe. */
export interface AdditionalView {
  readonly heading: string;
  readonly entries: readonly AdditionalEntry[];
}

/** Results of custom checks, apart from those of the contract; undefined without custom checks. */
export function additionalView(report: Report, show: (text: string) => string): AdditionalView | undefined {
  const { additional } = report;
  if (additional === undefined) return undefined;
  const { summary, results, folder } = additional;
  const evaluated = summary.pass + summary.fail + summary.warn;
  const counts = [
    `${summary.pass} pass, ${summary.fail} fail, ${summary.warn} warn`,
    ...(summary.inconclusive > 0 ? [`${summary.inconclusive} not tested`] : []),
    ...(summary.error > 0 ? [`${summary.error} failed to run`] : []),
  ].join(', ');
  const { failures, warnings, notes } = violationsOf({ ...report, results });
  const told = (
    says: AdditionalEntry['says'],
    violations: readonly Violation[],
  ): readonly AdditionalEntry[] =>
    [...groupBy(violations, causeOf).values()].flatMap(([violation, ...others]) => {
      if (violation === undefined) return [];
      const {
        title,
        detail: exactly,
        expectation,
        contract,
        seen,
        reproduction,
      } = findingText(violation, report, show);
      // A custom check rests on no section of the contract.
      const written = contract?.replace(/^contract: /, 'written in: ') ?? null;
      const same = others.map(({ operation }) => show(operation));
      const details = [
        exactly,
        expectation,
        written,
        seen,
        same.length === 0 ? null : `the same at ${firstOf(same, 30)}`,
      ].filter((line) => line !== null);
      return [{ says, title, details, reproduction }];
    });
  const untested = results.flatMap(({ outcome, operation, check, message, remedy }): AdditionalEntry[] => {
    if (outcome !== 'error' && outcome !== 'inconclusive') return [];
    return [
      {
        says: outcome === 'error' ? 'failed to run' : 'not tested',
        title: `${show(check)}  ${show(operation)}: ${show(message)}`,
        details: remedy === undefined ? [] : [show(remedy)],
        reproduction: null,
      },
    ];
  });
  return {
    heading: `Custom checks (${show(folder)}), no part of the verdict: ${evaluated} of ${plural(evaluated + summary.inconclusive + summary.error, 'case')} tested: ${counts}`,
    entries: [
      ...told('fails', failures),
      ...untested.filter(({ says }) => says === 'failed to run'),
      ...told('warns', warnings),
      ...untested.filter(({ says }) => says === 'not tested'),
      ...told('noted', notes),
    ],
  };
}

function causeOf({ requirement, message, expected, actual }: Violation): string {
  return JSON.stringify([requirement, message, expected, actual]);
}
