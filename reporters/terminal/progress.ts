import picocolors from 'picocolors';
import { escapeText, number, plural, roughly } from '../model/wording.ts';
import { cutColumns } from './layout.ts';

/** Where progress is written. */
export interface ProgressStream {
  write(text: string): unknown;
  /** Width of the terminal, where there is one. */
  readonly columns?: number | undefined;
}

/** How progress is shown. */
export interface ProgressOptions {
  /** The stream is a terminal on which a line can be rewritten. */
  readonly tty: boolean;
  readonly colour: boolean;
  /** Clock in milliseconds, for tests. */
  readonly now?: () => number;
}

/** How far a run has come. */
export interface ProgressState {
  readonly casesDone: number;
  /** Cases that may send requests; the others are evaluated together at the end. */
  readonly casesTotal: number;
  /** Cases that ended in `fail`. */
  readonly failures: number;
  /** Requests sent so far. */
  readonly requests: number;
  readonly phase: string;
  /** The pace, where the target refuses to be called faster. */
  readonly pace?: string;
  /** Estimated milliseconds; absent if unknown. */
  readonly etaMs?: number;
}

/** A display of a run's progress; nothing of it stays on a terminal after `end`. */
export interface Progress {
  update(state: ProgressState): void;
  /** Writes one lasting line, its text escaped; progress goes on below it. */
  line(text: string): void;
  end(): void;
}

const terminalIntervalMs = 100;
const plainIntervalMs = 5_000;
const clear = '\r\x1b[2K';

function phrase(state: ProgressState): { before: string; failures: string; after: string } {
  const { casesDone, casesTotal, requests, failures, phase, pace, etaMs } = state;
  const left = etaMs !== undefined ? `${roughly(etaMs)} left` : pace !== undefined && 'time left unknown';
  const where = escapeText(phase, 60) + (pace === undefined ? '' : `, ${pace}`);
  return {
    before: `${number(casesDone)}/${number(casesTotal)} cases · ${plural(requests, 'request')} · `,
    failures: `${number(failures)} failed`,
    after: ` · ${where}${left ? ` · ${left}` : ''}`,
  };
}

/** Shows progress: one rewritten line on a terminal, elsewhere a plain line at each change of phase and every few seconds. */
export function createProgress(stream: ProgressStream, options: ProgressOptions): Progress {
  const { tty } = options;
  const now = options.now ?? ((): number => performance.now());
  const colours = picocolors.createColors(options.colour);
  let current: string | null = null;
  let phase: string | null = null;
  let writtenAt = Number.NEGATIVE_INFINITY;
  let ended = false;

  function draw(state: ProgressState): string {
    const { before, failures, after } = phrase(state);
    const plain = before + failures + after;
    if (!tty) return plain;
    // One column is left free: some terminals wrap when the last one is filled.
    const cut = cutColumns(plain, Math.max(1, (stream.columns || 80) - 1));
    const marked = state.failures > 0 ? colours.red(failures) : failures;
    return cut.startsWith(before + failures) ? cut.replace(failures, marked) : cut;
  }

  return {
    update(state) {
      if (ended) return;
      const due = now() - writtenAt >= (tty ? terminalIntervalMs : plainIntervalMs);
      if (!due && state.phase === phase) return;
      current = draw(state);
      phase = state.phase;
      writtenAt = now();
      stream.write(tty ? clear + current : `${current}\n`);
    },
    line(text) {
      const safe = escapeText(text, 2_000);
      const redraw = tty && !ended && current !== null;
      stream.write(redraw ? `${clear}${safe}\n${current}` : `${safe}\n`);
    },
    end() {
      if (ended) return;
      ended = true;
      if (tty && current !== null) stream.write(clear);
    },
  };
}
