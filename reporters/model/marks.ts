import type { Outcome, Verdict } from '../../harness/model/report.ts';

/** Colours by meaning. */
export type Tone = 'good' | 'bad' | 'doubt' | 'open' | 'muted';

/** A sign that reads without colour, and its colour. */
export interface Mark {
  readonly sign: string;
  readonly word: string;
  readonly tone: Tone;
}

/** Signs of the outcomes that are counted. */
export const outcomeMarks: Readonly<Record<Exclude<Outcome, 'not-applicable'>, Mark>> = {
  pass: { sign: '✓', word: 'pass', tone: 'good' },
  fail: { sign: '✗', word: 'fail', tone: 'bad' },
  warn: { sign: '!', word: 'warn', tone: 'doubt' },
  inconclusive: { sign: '?', word: 'inconclusive', tone: 'open' },
  error: { sign: 'E', word: 'harness error', tone: 'bad' },
};

/** The outcomes that are counted, in the order of display. */
export const countedOutcomes = Object.keys(outcomeMarks) as ReadonlyArray<keyof typeof outcomeMarks>;

/** Signs of an operation's standing, and the outcome of a case whose colour it has. */
export const standingMarks = {
  /** Everything was tested. */
  conforms: { sign: '✓', word: 'conforms', tone: 'good', outcome: 'pass' },
  fails: { sign: '✗', word: 'fails', tone: 'bad', outcome: 'fail' },
  /** At least one `must` case is inconclusive. */
  'partly-tested': { sign: '?', word: 'partly tested', tone: 'open', outcome: 'inconclusive' },
  /** Cases were left out by --check, a shard or an interruption. */
  'partly-run': { sign: '?', word: 'partly run', tone: 'open', outcome: 'inconclusive' },
  /** No case was tested. */
  'not-tested': { sign: '?', word: 'not tested', tone: 'open', outcome: 'inconclusive' },
  /** No case was planned. */
  'not-run': { sign: '-', word: 'not run', tone: 'muted', outcome: 'not-run' },
  'harness-error': { sign: 'E', word: 'harness error', tone: 'bad', outcome: 'error' },
} as const;

/** Result of one operation. */
export type Standing = keyof typeof standingMarks;

/** Signs of the verdict. */
export const verdictMarks: Readonly<Record<Verdict, Mark>> = {
  conformant: { sign: '✓', word: 'conformant', tone: 'good' },
  'non-conformant': { sign: '✗', word: 'non-conformant', tone: 'bad' },
  incomplete: { sign: '?', word: 'incomplete', tone: 'open' },
  error: { sign: 'E', word: 'error', tone: 'bad' },
};
