import { appendFile, readFile } from 'node:fs/promises';
import type { Written } from '../reporters/model/written.ts';

/** Whether a step of GitHub Actions is what runs this. */
export function inGithubActions(): boolean {
  return process.env['GITHUB_ACTIONS'] === 'true';
}

/** Appends the Markdown that was written to the summary of the job, where there is one; says so and gives false where it cannot. */
export async function appendJobSummary(written: readonly Written[]): Promise<boolean> {
  const summary = process.env['GITHUB_STEP_SUMMARY'] ?? '';
  const path = written.find(({ format }) => format === 'markdown')?.paths[0];
  if (summary === '' || path === undefined) return true;
  try {
    await appendFile(summary, `${await readFile(path, 'utf8')}\n`);
    return true;
  } catch (error) {
    process.stderr.write(`error: the job summary could not be written: ${(error as Error).message}\n`);
    return false;
  }
}
