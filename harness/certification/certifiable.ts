import type { Contract } from '../../spec/contract.ts';
import { flagOf, type OptionRow, optionRows } from '../../spec/options.ts';
import type { Report } from '../model/report.ts';
import type { RunOptions } from '../model/run-options.ts';
import type { Target } from '../model/target.ts';

/** The settings of a run on which a certificate depends. */
export interface Undertaking {
  /** Limits are those of all shards together. */
  readonly options: Pick<
    RunOptions,
    'operations' | 'checks' | 'readOnly' | 'fuzzRuns' | 'concurrency' | 'profile' | 'shard'
  >;
  readonly target: Pick<Target, 'exclusions' | 'query'>;
  readonly contract: Pick<Contract, 'find'>;
  /** Number of the shards of a merged run. */
  readonly shards?: number | undefined;
  /** The options as they were given. */
  readonly given: Readonly<Record<string, unknown>>;
}

/** The longest time that a certificate may be valid, in days. */
export const mostDays = 366;

/** Why a run with these options cannot lead to a certificate: nothing may be left out, and no finding accepted. */
export function obstacles({ options, target, contract, shards = 1, given }: Undertaking): string[] {
  const { operations, checks, readOnly, fuzzRuns, profile, shard } = options;
  const concurrency = Math.floor(options.concurrency / shards);
  const values: Readonly<Record<string, unknown>> = {
    ...given,
    ...(typeof given['rate'] === 'number' && { rate: given['rate'] / shards }),
    ...{ operation: operations, check: checks, readOnly, fuzzRuns, concurrency, profile, shard },
  };
  const { exclusions, query = {} } = target;
  const excluded = exclusions.map((exclusion) => exclusion.class);
  const asked = Object.keys(query).filter((id) => contract.find(id)?.queryNotShown !== true);
  return [
    ...optionRows.flatMap(([name, row]) => obstacleOf(name, row, values[name])),
    excluded.length > 0 && `the target file leaves out values: ${excluded.join(', ')}`,
    asked.length > 0 &&
      `the target file gives a query to ${asked.join(', ')}, which the contract shows without parameters`,
  ].filter((obstacle) => obstacle !== false);
}

function obstacleOf(name: string, row: OptionRow, given: unknown): readonly string[] {
  if (row.certificate === undefined || row.certificate === 'only') return [];
  const { because, value, under } = row.certificate;
  const flag = flagOf(name, row);
  if (value !== undefined) return given === value ? [`${flag} ${value} ${because}`] : [];
  const isSet = given !== undefined && given !== false && !(Array.isArray(given) && given.length === 0);
  const isObstacle = under === undefined ? isSet : typeof given === 'number' && given < under;
  return isObstacle ? [`${flag} ${because}`] : [];
}

/** The reasons why a report does not qualify for a certificate; empty if it does. */
export function shortcomings(report: Report): readonly string[] {
  if (report.baseline !== undefined) return ['findings were accepted by a baseline'];
  if (report.verdict === 'conformant' && report.complete) return [];
  return [`the verdict is ${report.verdict}`, ...report.reasons];
}
