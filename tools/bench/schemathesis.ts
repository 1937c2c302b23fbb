import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { XMLParser } from 'fast-xml-parser';
import { runProgram } from './run-program.ts';

/** What one run of Schemathesis says. */
export interface PeerRun {
  readonly seconds: number;
  /** In a word each: the operation as `METHOD /path`, and the code of what it objects to. */
  readonly objections: ReadonlySet<string>;
}

interface TestCase {
  readonly name: string;
  readonly failure?:
    | string
    | { readonly '#text'?: string }
    | ReadonlyArray<string | { readonly '#text'?: string }>;
}

/** The version of the executable; undefined where there is none. */
export async function schemathesisVersion(executable: string): Promise<string | undefined> {
  try {
    const { exitCode, stdout } = await runProgram(executable, ['--version']);
    return exitCode === 0 ? /\d[\w.]*/.exec(stdout)?.[0] : undefined;
  } catch {
    return undefined;
  }
}

/** Runs it with its defaults, a key in the Authorization header, and a document of the service. */
export async function runSchemathesis(
  executable: string,
  service: { readonly baseUrl: string; readonly authorization: string; readonly document: object },
  folder: string,
): Promise<PeerRun> {
  const document = join(folder, 'openapi.json');
  await writeFile(document, JSON.stringify(service.document));
  const { seconds } = await runProgram(
    executable,
    [
      'run',
      document,
      ...['--url', service.baseUrl],
      ...['--header', `Authorization: ${service.authorization}`],
      ...['--report', 'junit', '--report-junit-path', join(folder, 'junit.xml')],
      ...['--seed', '1', '--no-color'],
    ],
    { cwd: folder },
  );
  return { seconds, objections: objectionsIn(await readFile(join(folder, 'junit.xml'), 'utf8')) };
}

/** The objections in a JUnit report. */
export function objectionsIn(xml: string): ReadonlySet<string> {
  const parser = new XMLParser({
    ignoreAttributes: false,
    attributeNamePrefix: '',
    isArray: (name) => name === 'testcase',
  });
  const suites = [parser.parse(xml).testsuites?.testsuite].flat() as ReadonlyArray<{ testcase?: TestCase[] }>;
  const objections = new Set<string>();
  for (const { name, failure } of suites.flatMap((suite) => suite?.testcase ?? [])) {
    for (const one of failure === undefined ? [] : [failure].flat()) {
      const text = typeof one === 'string' ? one : (one['#text'] ?? '');
      for (const [, code] of text.matchAll(/^- (ST\d+)/gm)) objections.add(`${name} ${code}`);
    }
  }
  return objections;
}
