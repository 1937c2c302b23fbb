#!/usr/bin/env node
import { runProgram } from './run-program.ts';

// A reader such as `head` may close the output early; the command still writes its report and returns its exit code.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}

process.exitCode = await runProgram(process.argv);
