import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { loadContract } from '../../spec/contract.ts';
import { failureOf } from './custom-check.ts';
import { exampleExchange, exampleOperation } from './example-exchange.ts';
import { type CustomChecks, loadCustomChecks } from './load-custom-checks.ts';

const contract = await loadContract();
const folders: string[] = [];

afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))));

const operation = exampleOperation();
const says = (status: number): object => ({ operation, exchange: exampleExchange({ status }) });

/** A check that lacks nothing, as the text of an object. */
const whole: Readonly<Record<string, string>> = {
  kind: "'passive'",
  requirement: "{ id: 'OWN-A-1', level: 'must', text: 'All is well.' }",
  title: "'all is well'",
  applies: '() => true',
  notApplicableReason: '() => undefined',
  evaluate: `(exchange) => exchange.response.status === 200
    ? 'holds'
    : { statement: 'all is well', expected: '200', actual: 'another', exchange }`,
  examples: `[
    { name: 'well', given: ${JSON.stringify(says(200))}, says: 'pass' },
    { name: 'not well', given: ${JSON.stringify(says(201))}, says: 'violated' },
  ]`,
};

async function load(
  files: Readonly<Record<string, Readonly<Record<string, string>>>>,
): Promise<CustomChecks> {
  const folder = await mkdtemp(join(tmpdir(), 'custom-checks-'));
  folders.push(folder);
  for (const [file, parts] of Object.entries(files)) {
    const members = Object.entries({ ...whole, ...parts }).map(([name, text]) => `${name}: ${text}`);
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await writeFile(join(folder, file), `export default { ${members.join(',\n')} };`);
  }
  return loadCustomChecks(folder, contract);
}

describe('a folder of checks', () => {
  test('gives checks by their paths, and the requirements that they bring', async () => {
    const own = await load({
      'a.check.mjs': {},
      'deep/er/b.check.mjs': {},
      'node_modules/x/c.check.mjs': { kind: '0' },
      'no-check.mjs': { kind: '0' },
    });
    expect(own.checks.map(({ id, area, requirement }) => [id, area, requirement])).toEqual([
      ['own/a', 'own', 'OWN-A-1'],
      ['own/deep/er/b', 'own', 'OWN-A-1'],
    ]);
    expect(own.requirements).toMatchObject([{ id: 'OWN-A-1', level: 'must', title: 'All is well.' }]);
  });

  test.each<[string, Readonly<Record<string, string>>, string]>([
    ['of no kind', { kind: "'other'" }, 'its kind is not one of active, passive, collective'],
    ['without an evaluation', { evaluate: 'undefined' }, 'its evaluate is not a function'],
    [
      'of an active kind without a probe',
      { kind: "'active'", needs: '() => []', requests: '() => 1' },
      'its probe',
    ],
    ['without a title', { title: "' '" }, 'it has no title'],
    [
      'with the id of a requirement of ours',
      { requirement: "'AUTH-1'" },
      'is not an object with id, level and text',
    ],
    [
      'with an id like ours',
      { requirement: "{ id: 'AUTH-1', level: 'must', text: 'x' }" },
      'does not have the form OWN-CACHE-1',
    ],
    [
      'of no level',
      { requirement: "{ id: 'OWN-1', level: 'shall', text: 'x' }" },
      'not one of must, should, info',
    ],
    ['without a text', { requirement: "{ id: 'OWN-1', level: 'must' }" }, 'OWN-1 has no text'],
    ['without examples', { examples: 'undefined' }, 'it has no examples'],
    ['with no example at all', { examples: '[]' }, 'it has no example that says pass or violated'],
    ['that applies to nothing', { applies: '() => false' }, 'it applies to no operation'],
    [
      'whose examples fail',
      { evaluate: "() => 'holds'" },
      'its example ‘not well’ must say violated, but says pass',
    ],
    [
      'whose evaluation throws',
      { evaluate: "() => { throw new Error('oh'); }" },
      'its evaluate throws at its example ‘well’: Error: oh',
    ],
    ['whose applies throws', { applies: "() => { throw new Error('oh'); }" }, 'it throws: oh'],
    [
      'that returns an invalid evaluation',
      { evaluate: "() => ({ statement: 'x' })" },
      'returned an invalid evaluation',
    ],
    ['that cannot be loaded', { title: "missing('')" }, 'it cannot be loaded\n  missing is not defined'],
  ])('is refused with one %s', async (_, parts, why) => {
    await expect(load({ 'a/x.check.mjs': parts })).rejects.toThrow(why);
    await expect(load({ 'a/x.check.mjs': parts })).rejects.toThrow(join('a', 'x.check.mjs'));
  });

  test('says how to install the package that a check does not find', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'custom-checks-'));
    folders.push(folder);
    await writeFile(join(folder, 'a.check.mjs'), "import 'commerce-conformance/checks';");
    await expect(loadCustomChecks(folder, contract)).rejects.toThrow(
      "install it in the folder's project: npm install --save-dev commerce-conformance, or",
    );
  });

  test('is refused where one id means two requirements, or two files are one check', async () => {
    const other = { requirement: "{ id: 'OWN-A-1', level: 'info', text: 'Something else.' }" };
    await expect(load({ 'a.check.mjs': {}, 'b.check.mjs': other })).rejects.toThrow(
      'a different requirement in a.check.mjs',
    );
    await expect(load({ 'a.check.mjs': {}, 'a.check.js': {} })).rejects.toThrow(
      'its id, own/a, is also that of',
    );
  });

  test('is refused where it is empty or not there', async () => {
    await expect(load({})).rejects.toThrow('there is no check in');
    await expect(loadCustomChecks(join(tmpdir(), 'nowhere', 'at-all'), contract)).rejects.toThrow(
      'cannot be read',
    );
  });
});

test('what a passive check throws while exchanges are recorded is remembered, and thrown at nobody', async () => {
  const { checks } = await load({
    'a.check.mjs': {
      evaluate: `(exchange) => { if (exchange.response.status === 500) throw new Error('oh'); return (${whole['evaluate']})(exchange); }`,
    },
  });
  const [check] = checks;
  if (check?.kind !== 'passive') throw new Error('no passive check');
  expect(failureOf(check)).toBeUndefined();
  expect(check.evaluate(exampleExchange({ status: 500 }), operation)).toBeUndefined();
  expect(failureOf(check)).toContain('oh');
});
