import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { program } from './cli-for-tests.ts';

/** Exit code and standard error of a shell line in which `$CLI` is the program. */
function shell(line: string): Promise<{ exitCode: number; stderr: string }> {
  return new Promise((resolve) => {
    const env = { ...process.env, CLI: `${process.execPath} ${program}` };
    const child = execFile('sh', ['-c', line], { env }, (_error, _stdout, stderr) =>
      resolve({ exitCode: child.exitCode ?? -1, stderr }),
    );
  });
}

describe.skipIf(!existsSync('/dev/full'))('output that cannot be written', () => {
  test.for([
    ['$CLI checks > /dev/full', 3],
    ['$CLI plan --base-url http://127.0.0.1:9 > /dev/full', 3],
    ['$CLI checks --nonsense 2> /dev/full', 2],
    ['$CLI checks >&-', 0],
    ['$CLI checks 2>&-', 0],
    // The status is that of the program, and not of its reader.
    ['{ $CLI checks; echo $? >&2; } | head -c 1 > /dev/null', 0],
  ] as const)('%s', async ([line, expected]) => {
    const { exitCode, stderr } = await shell(line);
    expect({ exitCode, stderr }).toEqual({
      exitCode: expected,
      stderr: expect.not.stringContaining('    at '),
    });
  });
});
