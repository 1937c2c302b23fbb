import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Started, startCli, typeLine } from '../../e2e/cli-for-tests.ts';
import { allFaults } from '../../fixtures/faults/all-faults.ts';
import { startFault } from '../../fixtures/faults/start-fault.ts';
import { type RunningService, startService } from '../../fixtures/reference-service/start-service.ts';
import { packageRoot } from '../../spec/package-root.ts';
import { commandsIn, documentedCommands } from './documented-commands-for-tests.ts';

/**
 * Commands that are not run here, and where they are. All others are typed into a shell, in an empty folder, with
 * the keys of a service on loopback in the environment, and these words changed:
 * - `npx commerce-conformance` is the compiled program; a `run` that says nothing of operations, and whose page needs no
 *   whole verdict, is confined to three of them
 * - `https://staging.example.com` is the service, `https://next.staging.example.com` its next release
 * - `--port 8080` is a free port, and `http://127.0.0.1:8080` its URL; a service that is served stays until the page is
 *   through
 * - a `target.yaml` that no command has written is that of the service
 * - `4f2a91c0` is a finding of the last run, 2027-03-31 a day that is always to come
 * - a line with `…` is one for the reader to fill in; what it sets is set
 */
const elsewhere: ReadonlyArray<readonly [command: RegExp, where: string]> = [
  [/^npm ci && npm start$/, '.ci/run, from a clean install'],
  [/^npm (?:ci|cit|test)$/, '.ci/run'],
  [
    /^(?:[A-Z_]+=\S+ )*npm run (?:check|prove|docs|bench|pictures|test:all|test:browser|test:certificates|test:changes|test:certification|test:inputs|test:interrupts|test:mutants|test:soak|test:stacks|test:hostile|test:package|test:spawned|build|format|lint:unused|trace)\b/,
    'what they are made of is tested; that they exist is tested below',
  ],
  [
    /^npm ci && npm pack$|^npm (?:pack|install) .*commerce-conformance/,
    'tools/package-tests installs the packed file',
  ],
  [/^(?:npm pack .* && )?docker\b/, 'e2e/github-release.test.ts has the steps of the image'],
  [/^npx changeset\b/, 'asks questions; .changeset/ is tested by e2e/github'],
  [/^CONFORMANCE_TARGET=\S+ npx vitest\b/, 'api/vitest.spawned.test.ts'],
  [/^npx vitest run conformance\.test\.js/, 'tools/package-tests has such a project'],
  [/^npx -y @stoplight\/prism-cli/, 'downloads; done by hand, with the figures on its page'],
  [/run --target docs\/mock-server\.target\.yaml$/, 'tests the mock of Prism, as above'],
  [/^npx -y allure@3\b/, 'downloads; reporters/allure tests what it reads'],
  [/^kubectl\b/, 'e2e/scaling-guide.spawned.test.ts runs the commands of the jobs'],
  [/ --checks checks\b/, 'e2e/custom-checks.spawned.test.ts, with the checks of the page'],
];

/** Exit codes other than 0, by page and command. */
const endings: ReadonlyArray<readonly [page: string, command: RegExp, exitCode: number]> = [
  ['README.md', /run --target faulty\.yaml$/, 1],
  ['docs/gating-a-release.md', /run --target target\.yaml$/, 1],
  ['docs/fuzzing.md', /replay \S+ --target target\.yaml$/, 1],
  ['docs/reports.md', /replay \S+$/, 1],
];

/** What a page's reader has done before a command, by page and command. */
const before: ReadonlyArray<
  readonly [page: string, command: RegExp, prepare: (desk: Desk) => Promise<void>]
> = [
  ['docs/fuzzing.md', /replay \S+ --target target\.yaml$/, runFaulty],
  ['docs/reports.md', /replay \S+$/, runFaulty],
  [
    'docs/gating-a-release.md',
    /run --target target\.yaml$/,
    async (desk) => {
      await runFaulty(desk);
      await desk.type('cp -r conformance-report released', 0);
    },
  ],
];

async function runFaulty(desk: Desk): Promise<void> {
  await writeFile(join(desk.folder, 'target.yaml'), JSON.stringify(faulty.target));
  await desk.type(`npx commerce-conformance run --target target.yaml ${confined}`, 1);
}

/** Where a page has a service served. */
const servedUrl = 'http://127.0.0.1:8080';
const confined = '--operation getApiKeyIdentity getPublicProduct listPublicCategories --fuzz-runs 1';
/** Pages whose runs have to be whole. */
const whole = ['docs/certifying.md', 'docs/running-a-programme.md'];

let service: RunningService;
let faulty: RunningService;

beforeAll(async () => {
  const fault =
    allFaults.find(({ name }) => name === 'unknown-key-is-somebody-anonymous') ??
    expect.fail('no such fault');
  [service, faulty] = await Promise.all([startService(), startFault(fault)]);
});

afterAll(() => Promise.all([service?.close(), faulty?.close()]));

/** Where a reader sits: a folder, a shell, and what was left running. */
class Desk {
  readonly folder: string;
  readonly #serving: Started[] = [];

  constructor(folder: string) {
    this.folder = folder;
  }

  async type(command: string, expected: number): Promise<void> {
    const target = join(this.folder, 'target.yaml');
    if (command.includes('target.yaml') && !existsSync(target))
      await writeFile(target, JSON.stringify(service.target));
    const served = command.includes(servedUrl) ? await this.#servedUrl() : servedUrl;
    const finding = command.includes('4f2a91c0') ? await this.#lastFinding() : '';
    const typed = command
      .replaceAll('https://next.staging.example.com', service.baseUrl)
      .replaceAll('https://staging.example.com', service.baseUrl)
      .replaceAll(servedUrl, served)
      .replaceAll('4f2a91c0', finding)
      .replaceAll('2027-03-31', `${new Date().getFullYear() + 1}-03-31`);
    if (/^npx commerce-conformance serve\b(?!.* list)/.test(typed)) return this.#serve(typed);
    const env = {
      COMMERCE_KEY: service.target.keys.scoped,
      COMMERCE_KEY_UNSCOPED: service.target.keys.unscoped,
      CF_SECRET: 'the secret of a gateway',
      GITHUB_STEP_SUMMARY: join(this.folder, 'summary.md'),
    };
    const { exitCode, stdout, stderr } = await typeLine(typed, this.folder, env, 'bash');
    expect(exitCode, `${typed}\n${stdout}${stderr}`).toBe(expected);
  }

  async leave(): Promise<void> {
    for (const { child } of this.#serving) child.kill('SIGTERM');
    await Promise.all(this.#serving.map(({ ended }) => ended));
    await rm(this.folder, { recursive: true, force: true });
  }

  async #serve(command: string): Promise<void> {
    const words = command.replace('--port 8080', '--port 0').split(' ').slice(2);
    const started = startCli(words, { cwd: this.folder });
    this.#serving.push(started);
    await started.said('Press Ctrl-C to stop.');
  }

  async #servedUrl(): Promise<string> {
    const text = await readFile(join(this.folder, 'target.yaml'), 'utf8');
    return /^baseUrl: (\S+)$/m.exec(text)?.[1] ?? expect.fail('the target file has no base URL');
  }

  async #lastFinding(): Promise<string> {
    const report = await readFile(join(this.folder, 'conformance-report', 'report.json'), 'utf8');
    return /"example": ?"([0-9a-f]+)"/.exec(report)?.[1] ?? expect.fail('the last run found nothing');
  }
}

const pages = await documentedCommands();
const isElsewhere = (command: string): boolean => elsewhere.some(([pattern]) => pattern.test(command));

function restricted(page: string, command: string): string {
  const isRun = /(?:^|\s)npx commerce-conformance run\b/.test(command);
  if (!isRun || whole.includes(page) || / --operation\b/.test(command)) return command;
  return `${command} ${confined}`;
}

describe('every command of the pages works', () => {
  test.each(pages.map(({ page, commands }) => [page, commands] as const))('%s', async (page, commands) => {
    const desk = new Desk(await mkdtemp(join(tmpdir(), 'conformance-page-')));
    try {
      for (const command of commands) {
        if (isElsewhere(command) || command.includes('…')) continue;
        for (const [on, what, prepare] of before) {
          if (on === page && what.test(command)) await prepare(desk);
        }
        const [, , exitCode = 0] = endings.find(([on, what]) => on === page && what.test(command)) ?? [];
        await desk.type(restricted(page, command), exitCode);
      }
    } finally {
      await desk.leave();
    }
  });
});

test('no exception is left over', () => {
  const all = pages.flatMap(({ page, commands }) => commands.map((command) => [page, command] as const));
  for (const [pattern] of elsewhere) {
    expect(
      all.some(([, command]) => pattern.test(command)),
      String(pattern),
    ).toBe(true);
  }
  for (const [page, pattern] of [...endings, ...before]) {
    expect(
      all.some(([on, command]) => on === page && pattern.test(command)),
      String(pattern),
    ).toBe(true);
  }
});

test('scripts and files that commands name exist', async () => {
  const { scripts } = JSON.parse(await readFile(join(packageRoot, 'package.json'), 'utf8')) as {
    readonly scripts: Readonly<Record<string, string>>;
  };
  for (const command of pages.flatMap(({ commands }) => commands)) {
    const script = /^(?:[A-Z_]+=\S+ )*npm run ([\w:]+)/.exec(command)?.[1];
    if (script !== undefined) expect(Object.keys(scripts), command).toContain(script);
    for (const [file] of command.matchAll(/(?:cli|docs|harness|spec|tools)\/[\w./-]+/g)) {
      // Filters of tests are the beginnings of names.
      const names = await readdir(join(packageRoot, dirname(file)));
      expect(
        names.filter((name) => name.startsWith(basename(file))),
        command,
      ).not.toEqual([]);
    }
  }
});

test('the commands of a page are those in its shell blocks, and ours in its lines', () => {
  const page = [
    'See `npx commerce-conformance checks`, not `checks`.',
    '```sh',
    'one --a \\',
    '  --b   # said',
    '# nothing',
    'two "#3"',
    '```',
    '```ts',
    'three();',
    '```',
    '   ```console',
    '   $ four',
    '   ```',
  ].join('\n');
  expect(commandsIn(page)).toEqual(['npx commerce-conformance checks', 'one --a --b', 'two "#3"', 'four']);
});
