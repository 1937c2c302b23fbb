import type { Exchange } from '../recording/exchange.ts';

/** Outcome of one case. */
export type Outcome = 'pass' | 'fail' | 'warn' | 'inconclusive' | 'not-applicable' | 'error';

/** Outcome of the whole run. */
export type Verdict = 'conformant' | 'non-conformant' | 'incomplete' | 'error';

/** Weight of a requirement: a violated `must` fails, a `should` warns, an `info` is noted. */
export type Level = 'must' | 'should' | 'info';

/** A violation with its evidence. */
export interface Finding {
  /** Eight hexadecimal digits, equal for the same violation in another run. */
  readonly id: string;
  /** Level of the clause that is violated. */
  readonly level: Level;
  /** The statement that does not hold. */
  readonly message: string;
  readonly expected: string;
  readonly actual: string;
  /** Where the contract says so, such as `Authentication, rule 4`. */
  readonly contract: string;
  /** In how many tries it was seen. */
  readonly seen: { readonly times: number; readonly of: number };
  /** The exchange that shows it. */
  readonly exchange: Exchange;
  /** A shell line that sends the request again, keys as variables. */
  readonly reproduction: string;
}

/** What came of one case: one check on one operation. */
export interface CaseResult {
  readonly operation: string;
  readonly check: string;
  readonly requirement: string;
  readonly level: Level;
  readonly outcome: Outcome;
  /** What was seen, or why nothing could be judged. */
  readonly message: string;
  readonly expected: string | null;
  readonly actual: string | null;
  /** For `inconclusive`: the line to add, or the thing to do, that would decide it. */
  readonly remedy?: string;
  /** Ids of the exchanges that were judged. */
  readonly exchanges: readonly string[];
  readonly findings: readonly Finding[];
}

/** How often an operation answered with a documented status, or why it never did. */
export interface CoverageEntry {
  readonly operation: string;
  readonly status: number;
  readonly observed: number;
  readonly reason: string | null;
}

/** One cause shared by findings on several operations. */
export interface Cause {
  readonly requirement: string;
  /** What the findings have in common. */
  readonly signature: string;
  readonly operations: readonly string[];
  readonly count: number;
  /** Id of one of the findings. */
  readonly example: string;
}

/** What the run put on the wire. */
export interface Traffic {
  readonly requests: number;
  /** Answers by status; `none` for requests without an answer. */
  readonly byStatus: Readonly<Record<string, number>>;
  /** Answers with 429. */
  readonly throttled: number;
  readonly latencyMs: { readonly p50: number; readonly p95: number; readonly p99: number };
}

/** A known value that the harness found by itself. */
export interface DiscoveredValue {
  readonly name: string;
  readonly value: string;
  /** The operation in whose answer it was found. */
  readonly from: string;
}

/** Number of cases by outcome. */
export interface Summary {
  readonly pass: number;
  readonly fail: number;
  readonly warn: number;
  readonly inconclusive: number;
  readonly notApplicable: number;
  readonly error: number;
}

/** The one model of a run's result, of which every report is a function; written as report.json. */
export interface Report {
  readonly schemaVersion: '1.0';
  readonly verdict: Verdict;
  /** Every `must` case was judged. */
  readonly complete: boolean;
  /** In one sentence each: why the verdict is not `conformant`. */
  readonly reasons: readonly string[];
  readonly harness: { readonly name: string; readonly version: string };
  readonly contract: { readonly digest: string };
  readonly target: {
    readonly baseUrl: string;
    readonly embedded: boolean;
    readonly discovered: readonly DiscoveredValue[];
  };
  readonly run: {
    readonly startedAt: string;
    readonly durationMs: number;
    readonly seed: number;
    readonly options: Readonly<Record<string, unknown>>;
    readonly interrupted: boolean;
    /** Why the target could not be reached, or stopped answering; absent where it answered to the end. */
    readonly unreachable?: string;
  };
  readonly operations: ReadonlyArray<{
    readonly id: string;
    readonly method: string;
    readonly path: string;
    readonly idIsOurs: boolean;
  }>;
  readonly results: readonly CaseResult[];
  readonly summary: Summary;
  readonly coverage: readonly CoverageEntry[];
  readonly traffic: Traffic;
  readonly causes: readonly Cause[];
}
