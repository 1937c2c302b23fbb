import type { Report } from '../../harness/model/report.ts';
import { findingText } from './finding-text.ts';
import { groupBy } from './group-by.ts';
import { type Violation, violationsOf } from './violation.ts';
import { firstOf, plural } from './wording.ts';

/** One thing to tell of checks of the user. */
export interface AdditionalEntry {
  readonly says: 'fails' | 'warns' | 'noted' | 'failed to run' | 'not judged';
  readonly title: string;
  readonly details: readonly string[];
  readonly reproduction: string | null;
}

/** What checks of the user came to, in words that are safe by `show`. */
export interface AdditionalView {
  readonly heading: string;
  readonly entries: readonly AdditionalEntry[];
}

/** Apart from all that concerns the contract; undefined where the user had none made. */
export function additionalView(report: Report, show: (text: string) => string): AdditionalView | undefined {
  const { additional } = report;
  if (additional === undefined) return undefined;
  const { summary, results, folder } = additional;
  const evaluated = summary.pass + summary.fail + summary.warn;
  const counts = [
    `${summary.pass} pass, ${summary.fail} fail, ${summary.warn} warn`,
    ...(summary.inconclusive > 0 ? [`${summary.inconclusive} not evaluated`] : []),
    ...(summary.error > 0 ? [`${summary.error} failed to run`] : []),
  ].join(', ');
  const { failures, warnings, notes } = violationsOf({ ...report, results });
  const told = (
    says: AdditionalEntry['says'],
    violations: readonly Violation[],
  ): readonly AdditionalEntry[] =>
    [...groupBy(violations, causeOf).values()].flatMap((relatedExchanges) => {
      const [violation, ...others] = relatedExchanges;
      if (violation === undefined) return [];
      const { title, expectation, contract, seen, reproduction } = findingText(
        violation,
        report.run.seed,
        show,
      );
      // It is no section of the contract that it rests on.
      const written = contract?.replace(/^contract: /, 'written in: ') ?? null;
      const same = others.map(({ operation }) => show(operation));
      const details = [
        expectation,
        written,
        seen,
        same.length === 0 ? null : `the same at ${firstOf(same, 30)}`,
      ].filter((line) => line !== null);
      return [{ says, title, details, reproduction }];
    });
  const unjudged = results.flatMap(({ outcome, operation, check, message, remedy }): AdditionalEntry[] => {
    if (outcome !== 'error' && outcome !== 'inconclusive') return [];
    return [
      {
        says: outcome === 'error' ? 'failed to run' : 'not judged',
        title: `${show(check)}  ${show(operation)}: ${show(message)}`,
        details: remedy === undefined ? [] : [show(remedy)],
        reproduction: null,
      },
    ];
  });
  return {
    heading: `Checks of your own (${show(folder)}), no part of the verdict: ${evaluated} of ${plural(evaluated + summary.inconclusive + summary.error, 'case')} evaluated: ${counts}`,
    entries: [
      ...told('fails', failures),
      ...unjudged.filter(({ says }) => says === 'failed to run'),
      ...told('warns', warnings),
      ...unjudged.filter(({ says }) => says === 'not judged'),
      ...told('noted', notes),
    ],
  };
}

function causeOf({ requirement, message, expected, actual }: Violation): string {
  return JSON.stringify([requirement, message, expected, actual]);
}
