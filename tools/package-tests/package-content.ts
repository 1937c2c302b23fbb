import { readdir, readFile, stat } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';

/** What belongs into the package, beside the compiled code. */
const others = [
  /^(?:package\.json|(?:README|ARCHITECTURE|CHANGELOG|CONTRIBUTING)\.md|LICENSE|Dockerfile)$/,
  /^spec\/[\w-]+(?:\.schema\.json|\.yaml)$/,
  /^dist\/spec\/(?:contract|requirements)\.json$/,
  /^docs\/[\w./-]+\.(?:md|yaml|png|svg|yml)$/,
];
const compiled = /^(dist\/(?:api|fixtures|harness|reporters|spec|suites)\/.*)\.(js|js\.map|d\.ts)$/;
const entries = /^dist\/(?:harness\/cli\/main|suites\/.*\.(?:check|suite))\.js$/;
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
    ...files.flatMap((file) => incomplete(file, texts)),
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

/** Code without types, or without a map that holds its source; the sources are not in the package. */
function incomplete(file: string, texts: ReadonlyMap<string, string>): readonly string[] {
  const [, stem, kind] = compiled.exec(file) ?? [];
  if (kind !== 'js') return [];
  const { sourcesContent = [] } = JSON.parse(texts.get(`${stem}.js.map`) ?? '{}') as {
    readonly sourcesContent?: readonly unknown[];
  };
  return [
    ...(typeof sourcesContent[0] === 'string' ? [] : [`${file} has no map that holds its source`]),
    ...(texts.has(`${stem}.d.ts`) ? [] : [`${file} has no types`]),
  ];
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

/** Code to which no import leads from the command, the exports or the checks; its types may still be needed by theirs. */
function unreachable(texts: ReadonlyMap<string, string>, { exports = {} }: Manifest): readonly string[] {
  const exported = Object.values(exports).map((one) => (typeof one === 'string' ? one : (one.default ?? '')));
  const waiting = [...texts.keys()].filter((file) => entries.test(file) || exported.includes(`./${file}`));
  const reached = new Set<string>();
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (reached.has(file)) continue;
    reached.add(file);
    const declared = texts.get(file.replace(/\.js$/, '.d.ts')) ?? '';
    for (const [, name = ''] of `${texts.get(file)}\n${declared}`.matchAll(
      /\b(?:from|import)\s*\(?\s*["'](\.[^"']+)["']/g,
    )) {
      waiting.push(join(dirname(file), name).replaceAll('\\', '/').replace(/\.ts$/, '.js'));
    }
  }
  return [...texts.keys()].filter((file) => file.endsWith('.js') && !reached.has(file));
}
