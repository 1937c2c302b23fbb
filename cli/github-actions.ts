import { execFile } from 'node:child_process';
import { appendFile, readFile } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import { promisify } from 'node:util';
import { parseYaml } from '../harness/parse-yaml.ts';
import { readBoundedFile } from '../harness/read-bounded-file.ts';
import { visibleText } from '../harness/visible-text.ts';
import { data } from '../reporters/github/annotations.ts';
import type { Written } from './report-folder/write-views.ts';

/** Whether this process runs in a step of GitHub Actions. */
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

/** Bytes of the file that names the pull request, and of a target file. */
const mostBytes = 16 * 1024 * 1024;

/**
 * A warning for the job if a pull request changes the host in a target file, to which keys would go; undefined if it
 * does not, or if the checkout does not hold the base branch.
 */
export async function changedHostWarning(
  targetFile: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<string | undefined> {
  if (!/^pull_request(?:_target)?$/.test(env['GITHUB_EVENT_NAME'] ?? '')) return undefined;
  try {
    const event = JSON.parse(String(await readBoundedFile(env['GITHUB_EVENT_PATH'] ?? '', mostBytes))) as {
      readonly pull_request: { readonly base: { readonly sha: unknown } };
    };
    const base = String(event.pull_request.base.sha);
    if (!/^[0-9a-f]{40,64}$/.test(base)) return undefined;
    const path = resolve(targetFile);
    const { stdout } = await promisify(execFile)('git', ['cat-file', 'blob', `${base}:./${basename(path)}`], {
      cwd: dirname(path),
      maxBuffer: mostBytes,
    });
    const before = hostIn(stdout);
    const now = hostIn(String(await readBoundedFile(path, mostBytes)));
    if (before === undefined || before === now) return undefined;
    const text = `${targetFile} names ${now ?? 'another base URL'}, and ${before} on the base branch: keys would go there. Restrict the hosts with --allow-host.`;
    return `::warning title=commerce-conformance::${data(visibleText(text))}\n`;
  } catch {
    // A shallow checkout, a new file, or no git: nothing is known of the base branch.
    return undefined;
  }
}

function hostIn(text: string): string | undefined {
  const [document] = parseYaml(text);
  const baseUrl: unknown = document?.get('baseUrl');
  if (typeof baseUrl !== 'string') return undefined;
  return URL.canParse(baseUrl) ? new URL(baseUrl).origin : baseUrl;
}
