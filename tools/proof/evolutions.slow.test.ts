import { describe, expect, test } from 'vitest';
import { allEvolutions } from '../../fixtures/evolutions/all-evolutions.ts';
import type { Evolution } from '../../fixtures/evolutions/evolution.ts';
import { type RunningService, startService } from '../../fixtures/reference-service/start-service.ts';
import { allVariants } from '../../fixtures/variants/all-variants.ts';
import { startVariant } from '../../fixtures/variants/start-variant.ts';
import { loadCatalogue } from '../../harness/checks/catalogue.ts';
import type { Report } from '../../harness/model/report.ts';
import type { RunOptions } from '../../harness/model/run-options.ts';
import {
  type BodyChange,
  diffReports,
  exitCodeOfDiff,
  type ReportDiff,
} from '../../harness/results/diff/diff-reports.ts';
import { defaultOptions } from '../../harness/target/default-options.ts';
import { evaluateService, reportOn } from './evaluate-service.ts';

/** Tests a service within this process and closes it; returns the report of a run. */
async function reportOf(service: RunningService, options: Partial<RunOptions> = {}): Promise<Report> {
  const { contract } = await loadCatalogue();
  const { seed = defaultOptions.seed } = options;
  const shortfall = { interrupted: false, filtered: false };
  const ended = { startedAt: '2026-11-01T00:00:00.000Z', durationMs: 1, seed, shortfall };
  try {
    return reportOn(service, contract, await evaluateService(service, { options }), ended);
  } finally {
    await service.close();
  }
}

const reference = startService().then((service) => reportOf(service));

function bodyText({ kind, status, operation, path, renamedTo }: BodyChange): string {
  return `${kind} ${status} ${operation} ${path}${renamedTo === undefined ? '' : `=${renamedTo}`}`;
}

/** Writes out what an evolution says of all errors. */
function expectedBodies(texts: readonly string[] = [], { shapes = [] }: Report): readonly string[] {
  const errors = shapes.filter(({ status }) => status >= 400);
  return texts
    .flatMap((text) =>
      text.includes(' 4xx * ')
        ? errors.map(({ operation, status }) => text.replace('4xx *', `${status} ${operation}`))
        : [text],
    )
    .sort();
}

function operationsOf(changes: ReadonlyArray<{ readonly operation: string }>): readonly string[] {
  return [...new Set(changes.map(({ operation }) => operation))].sort();
}

/** All that a comparison says, in the words of an evolution. */
function said(diff: ReportDiff): Required<Pick<Evolution, 'fails' | 'fixes'>> | Record<string, unknown> {
  return {
    obstacles: diff.obstacles,
    fails: operationsOf(diff.newFailures),
    fixes: operationsOf(diff.fixed),
    warns: operationsOf([...diff.newWarnings, ...diff.fixedWarnings]),
    loses: operationsOf(diff.coverageLost),
    gains: operationsOf(diff.coverageGained),
    still: operationsOf(diff.stillFailing),
    breaks: diff.bodies
      .filter(({ breaking }) => breaking)
      .map(bodyText)
      .sort(),
    tells: diff.bodies
      .filter(({ breaking }) => !breaking)
      .map(bodyText)
      .sort(),
  };
}

describe('a comparison says what changed, and nothing else', () => {
  test.each(allEvolutions.map((evolution) => [evolution.name, evolution] as const))(
    '%s',
    async (_name, evolution) => {
      const { before, after, fails = [], fixes = [], warns = [], loses = [], gains = [] } = evolution;
      const old = before === undefined ? await reference : await reportOf(await startService(before));
      const now = await reportOf(await startService(after), { seed: 5 });
      const diff = diffReports(old, now);
      expect(said(diff)).toEqual({
        obstacles: [],
        fails: fails.toSorted(),
        fixes: fixes.toSorted(),
        warns: warns.toSorted(),
        loses: loses.toSorted(),
        gains: gains.toSorted(),
        still: [],
        breaks: expectedBodies(evolution.breaks, old),
        tells: expectedBodies(evolution.tells, old),
      });
      const isWorse = fails.length + loses.length + (evolution.breaks?.length ?? 0) > 0;
      expect(exitCodeOfDiff(diff)).toBe(isWorse ? 1 : 0);
    },
  );
});

const names =
  process.env['EVOLUTIONS_ALL'] === undefined
    ? ['bodies-have-volatile-fields', 'errors-have-optional-fields']
    : undefined;

describe('two runs of one variant are the same', () => {
  test.each(
    allVariants
      .filter(({ name, slow, accused }) => !slow && accused === undefined && (names?.includes(name) ?? true))
      .map((variant) => [variant.name, variant] as const),
  )('%s', async (_name, variant) => {
    const old = await reportOf(await startVariant(variant), { seed: 1 });
    const now = await reportOf(await startVariant(variant), { seed: 2 });
    const { obstacles, newFailures, coverageLost, bodies } = diffReports(old, now);
    expect({ obstacles, newFailures, coverageLost, bodies: bodies.map(bodyText) }).toEqual({
      obstacles: [],
      newFailures: [],
      coverageLost: [],
      bodies: [],
    });
  });
});
