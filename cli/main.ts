#!/usr/bin/env node
import { CommanderError } from 'commander';
import { refuseInstalledFolder } from '../harness/engine/installed-folder.ts';
import { UsageError } from '../harness/usage-error.ts';
import { createProgram } from './program.ts';

// Who reads the output may stop early, as `head` does; the command goes on to its end, its report and its exit code.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}

/** Runs the command line and gives the exit code; users' mistakes are messages, not stack traces. */
async function main(argv: readonly string[]): Promise<number> {
  let exitCode = 0;
  try {
    refuseInstalledFolder();
    await createProgram((code) => {
      exitCode = code;
    }).parseAsync([...argv]);
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    if (error instanceof UsageError) {
      process.stderr.write(`error: ${error.message}\n`);
      return 2;
    }
    process.stderr.write(
      `This is a defect of commerce-conformance, not of your service. Please report it with these lines:\n${
        (error as Error).stack ?? String(error)
      }\n`,
    );
    return 4;
  }
}

process.exitCode = await main(process.argv);
