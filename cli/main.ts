#!/usr/bin/env node
import { runProgram } from './run-program.ts';

let outputFailed = false;

// A reader such as `head` may close the output early, and a disk may be full; the command still writes its report.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') return;
    outputFailed = true;
    if (process.exitCode === 0) process.exitCode = 3;
  });
}

// Keys that are given by flag would otherwise show in the list of processes.
process.title = 'commerce-conformance';

const exitCode = await runProgram(process.argv);
process.exitCode = exitCode === 0 && outputFailed ? 3 : exitCode;
