import { join, sep } from 'node:path';
import { createVitest, type Reporter, type TestCase, type TestModule } from 'vitest/node';
import { packageRoot } from '../../spec/package-root.ts';
import type { CaseResult } from '../model/report.ts';
import type { Closing, Pulse } from './current-run.ts';
import { interruptMessage } from './interrupt-message.ts';
import { relieveMemory } from './memory-valve.ts';
import type { RunInput } from './run.ts';
import { casesAtOnce } from './schedule.ts';
import { SuiteOrder } from './suite-order.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** The progress of a run. */
export interface Progress {
  readonly casesDone: number;
  readonly failures: number;
  readonly pulse: Pulse | undefined;
}

/** Callbacks of a run. */
export interface RunListener {
  /** Called when the suites run in their own thread, so that this one is free. */
  readonly onStart?: () => void;
  readonly onProgress: (progress: Progress) => void;
  /** Receives the function that interrupts the run. */
  readonly onInterrupt: (interrupt: () => void) => void;
}

/** The outcome of the suites. */
export interface SuiteRun {
  /** By `operationId/area/slug`. */
  readonly results: ReadonlyMap<string, CaseResult>;
  /** Undefined where the run did not finish. */
  readonly closing: Closing | undefined;
  readonly lastPulse: Pulse | undefined;
  readonly interrupted: boolean;
  /** Errors of the runner itself, for a bug report. */
  readonly defects: readonly string[];
}

/** Milliseconds after which an interrupted run no longer waits for its suites. */
const cancelAfterMs = 8_000;

/** Signals that interrupt a run: Ctrl-C, and the end of a CI job. */
const signals = ['SIGINT', 'SIGTERM'] as const;

/** Runs the compiled suites under vitest, in one thread, without any configuration of the project around it. */
export async function runUnderVitest(
  input: RunInput,
  { onStart = () => undefined, onProgress, onInterrupt }: RunListener,
): Promise<SuiteRun> {
  const temporary = await temporaryFolder();
  const dist = join(packageRoot, 'dist');
  const collector = new Collector(onProgress, onStart);
  const pulses = `commerce-conformance ${process.pid} ${performance.now()}`;
  const channel = new BroadcastChannel(pulses);
  channel.onmessage = (event) => collector.pulse((event as unknown as { readonly data: Pulse }).data);
  const exitCode = process.exitCode;
  const ownListeners = new Set(signals.flatMap((signal) => process.listeners(signal)));
  try {
    const vitest = await createVitest(
      'test',
      {
        config: false,
        watch: false,
        root: packageRoot,
        dir: join(dist, 'suites'),
        include: ['**/*.suite.js'],
        exclude: [],
        server: { deps: { external: [new RegExp(`^${escapeRegExp(dist + sep)}`)] } },
        pool: 'threads',
        isolate: false,
        fileParallelism: false,
        maxWorkers: 1,
        maxConcurrency: casesAtOnce,
        reporters: [collector],
        sequence: { sequencer: SuiteOrder },
        provide: { run: input, pulses },
        attachmentsDir: join(temporary.path, 'attachments'),
        environment: 'node',
        globals: false,
        api: false,
        passWithNoTests: true,
      },
      {
        configFile: false,
        envFile: false,
        cacheDir: join(temporary.path, 'cache'),
        logLevel: 'error',
      } as object,
    );
    // The listeners of vitest would end the process before the report is written.
    for (const signal of signals) {
      for (const listener of process.listeners(signal)) {
        if (!ownListeners.has(listener)) process.removeListener(signal, listener);
      }
    }
    let interrupted = false;
    let repeating: NodeJS.Timeout | undefined;
    let giveUp: NodeJS.Timeout | undefined;
    let isOver = false;
    onInterrupt(() => {
      if (isOver) return;
      interrupted = true;
      // The suites may not listen yet; nothing more is sent once they do.
      repeating = setInterval(() => channel.postMessage(interruptMessage), 100);
      // Suites that are stuck in a computation do not listen at all.
      giveUp = setTimeout(() => void vitest.cancelCurrentRun('keyboard-input'), cancelAfterMs);
    });
    try {
      await vitest.start();
    } finally {
      isOver = true;
      clearInterval(repeating);
      clearTimeout(giveUp);
      await vitest.close();
    }
    return { ...collector.outcome(), interrupted };
  } finally {
    channel.close();
    // vitest sets it, but the verdict determines it.
    process.exitCode = exitCode;
    await temporary.remove();
  }
}

/** Collects results from the metadata of the tests, and errors from all callbacks of vitest. */
class Collector implements Reporter {
  readonly onTestRunStart: () => void;
  readonly #onProgress: (progress: Progress) => void;
  readonly #results = new Map<string, CaseResult>();
  readonly #defects: string[] = [];
  #closing: Closing | undefined;
  #pulse: Pulse | undefined;
  #failures = 0;

  constructor(onProgress: (progress: Progress) => void, onStart: () => void) {
    this.#onProgress = onProgress;
    this.onTestRunStart = onStart;
  }

  pulse(pulse: Pulse): void {
    this.#pulse = pulse;
    relieveMemory();
    this.#report();
  }

  onTestCaseResult(test: TestCase): void {
    const { result, closing } = test.meta();
    if (closing !== undefined) this.#closing = closing;
    if (result !== undefined) {
      this.#results.set(`${result.operation}/${result.check}`, result);
      if (result.outcome === 'fail') this.#failures += 1;
      this.#report();
    } else if (test.result().state === 'failed') {
      this.#defects.push(
        `${test.fullName}: ${test.result().errors?.[0]?.message ?? 'failed without a word'}`,
      );
    }
  }

  onTestRunEnd(
    modules: readonly TestModule[],
    unhandled: ReadonlyArray<{ message?: string; stack?: string }>,
  ): void {
    for (const module of modules) {
      const suites = [...module.children.allSuites()].flatMap((suite) => suite.errors());
      for (const error of [...module.errors(), ...suites]) {
        this.#defects.push(`${module.relativeModuleId}: ${error.stack ?? error.message}`);
      }
    }
    for (const error of unhandled) this.#defects.push(error.stack ?? error.message ?? String(error));
  }

  outcome(): Omit<SuiteRun, 'interrupted'> {
    return { results: this.#results, closing: this.#closing, lastPulse: this.#pulse, defects: this.#defects };
  }

  #report(): void {
    this.#onProgress({ casesDone: this.#results.size, failures: this.#failures, pulse: this.#pulse });
  }
}

function escapeRegExp(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
