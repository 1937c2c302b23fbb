import { readdir, readFile, stat } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';

/** What belongs into the package, beside the bundled code. */
const others = [
  /^(?:package\.json|(?:README|ARCHITECTURE|CHANGELOG|CONTRIBUTING)\.md|LICENSE|Dockerfile)$/,
  /^spec\/[\w-]+(?:\.schema\.json|\.yaml)$/,
  /^dist\/spec\/(?:(?:contract|requirements)\.json|[\w-]+\.schema\.cjs)$/,
  /^docs\/[\w./-]+\.(?:md|yaml|png|svg|yml)$/,
];
const compiled = /^dist\/(?:(?:api|chunks|cli)\/[\w.-]+|run-worker)\.js$|^dist\/api\/[\w-]+\.d\.ts$/;
/** What nothing imports: the command, and the thread of a run. */
const started = ['dist/cli/main.js', 'dist/run-worker.js'];
/** Files that the package may hold. */
const mostFiles = 99;
/** Scripts that npm runs at whoever installs the package. */
const installScripts = ['preinstall', 'install', 'postinstall', 'dependencies'];

interface Manifest {
  readonly exports?: Readonly<Record<string, { readonly default?: string } | string>>;
  readonly scripts?: Readonly<Record<string, string>>;
}

/** What is wrong with the files of an installed package, a line each; `foreign` are texts that none of them may hold. */
export async function objectionsToContent(root: string, foreign: readonly string[]): Promise<string[]> {
  const files = (await readdir(root, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .filter((file) => !file.startsWith('node_modules/'));
  const texts = new Map(
    await Promise.all(files.map(async (file) => [file, await readFile(join(root, file), 'utf8')] as const)),
  );
  const manifest = JSON.parse(texts.get('package.json') ?? '{}') as Manifest;
  return [
    ...files.filter((file) => !isExpected(file)).map((file) => `${file} does not belong into the package`),
    ...(files.length > mostFiles ? [`${files.length} files, and at most ${mostFiles} are allowed`] : []),
    ...brokenLinks(texts),
    ...unreachable(texts, manifest).map((file) => `${file} is needed by nothing at run time`),
    ...[...texts].flatMap(([file, text]) =>
      foreign.filter((one) => text.includes(one)).map((one) => `${file} speaks of ${one}`),
    ),
    ...installScripts
      .filter((name) => manifest.scripts?.[name] !== undefined)
      .map((name) => `package.json has the script ${name}`),
    ...((await stat(join(root, 'dist/cli/main.js'))).mode & 0o111
      ? []
      : ['dist/cli/main.js is not executable']),
  ];
}

function isExpected(file: string): boolean {
  if (/\.test\.|-for-tests\.|\/testing\//.test(file)) return false;
  return compiled.test(file) || others.some((pattern) => pattern.test(file));
}

/** Relative links and pictures of the pages whose file the package lacks. */
function brokenLinks(texts: ReadonlyMap<string, string>): readonly string[] {
  return [...texts]
    .filter(([file]) => file.endsWith('.md'))
    .flatMap(([file, text]) =>
      [...text.matchAll(/\]\((?!\w+:)([^)#\s]+)/g)]
        .map(([, link = '']) => join(dirname(file), link).replaceAll('\\', '/'))
        .filter((linked) => !texts.has(linked))
        .map((linked) => `${file} links ${linked}, which is not in the package`),
    );
}

/** Code to which no import leads from the command, the thread of a run or the exports. */
function unreachable(texts: ReadonlyMap<string, string>, { exports = {} }: Manifest): readonly string[] {
  const exported = Object.values(exports).map((one) => (typeof one === 'string' ? one : (one.default ?? '')));
  const waiting = [...started, ...exported.map((file) => file.replace(/^\.\//, ''))];
  const reached = new Set<string>();
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (reached.has(file)) continue;
    reached.add(file);
    for (const [, name = ''] of (texts.get(file) ?? '').matchAll(
      /\b(?:from|import)\s*\(?\s*["'](\.[^"']+)["']/g,
    ))
      waiting.push(join(dirname(file), name).replaceAll('\\', '/'));
  }
  return [...texts.keys()].filter((file) => file.endsWith('.js') && !reached.has(file));
}
