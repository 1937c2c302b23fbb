import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { test } from './in-process-for-tests.ts';

describe('what the command line does not know is refused, with the nearest name', () => {
  test.for([
    ['rnu', "error: unknown command 'rnu'", '(Did you mean run?)'],
    ['certify-all', "error: unknown command 'certify-all'", 'see: npx commerce-conformance --help'],
    ['run --operatoin x', "error: unknown option '--operatoin'", '(Did you mean --operation?)'],
    ['doctor --colour', "error: unknown option '--colour'", 'see: npx commerce-conformance doctor --help'],
    ['run target.yaml', 'error: too many arguments', 'see: npx commerce-conformance run --help'],
    ['run --target', "error: option '--target <file>' argument missing", 'run --help'],
    ['run --rate fast', '--rate takes a number of at least 0.01', 'run --help'],
    ['run --format junit,markdwon', 'error: --format: there is no format markdwon', 'write markdown'],
    ['run --format pdf', 'error: --format: there is no format pdf', 'use one of json, '],
    ['render report.json --format juint', '--format: there is no format juint', 'write junit'],
    ['render report.json', "required option '--format <list>' not specified", 'render --help'],
    ['render --format junit', "missing required argument 'report'", 'render --help'],
    ['render nowhere.json --format junit', 'nowhere.json: the report does not exist', 'check the path'],
    ['run --seed 1.5', '--seed takes a whole number of at least 0', 'run --help'],
    [['run', '--header', 'no colon'], 'error: --header: a header needs a name', "write 'Name: value'"],
    [['run', '--header', 'authorization: x'], 'cannot be set for every request', 'give the keys under keys'],
    ['run --ca nowhere.pem', 'nowhere.pem: the authority file of --ca does not exist', 'check the path'],
    [
      'run --operation getPublicProducts',
      'nothing matches getPublicProducts',
      'did you mean getPublicProduct?',
    ],
    ['run --operation orders*', 'nothing matches orders*', 'one of getPublicRuntimeConfig,'],
    ['run --check AUTH-33', 'error: --check: nothing matches AUTH-33', 'did you mean AUTH-3?'],
    ['plan --check oauth/*', 'nothing matches oauth/*', 'commerce-conformance'],
    ['doctor --check AUTH-33', 'nothing matches AUTH-33', 'did you mean AUTH-3?'],
    ['run --check SCOPE-1 --operation getPublic*', 'none of these checks applies', 'explain CHECK'],
    ['plan --check SCOPE-1 --operation getPublic*', 'none of these checks applies', 'explain CHECK'],
    ['explain AUTH-33', 'there is no check or requirement AUTH-33', 'did you mean AUTH-3?'],
    [
      'explain',
      "missing required argument 'requirement, check or case'",
      'see: npx commerce-conformance explain --help',
    ],
    [
      'serve --fault create-answers-202',
      'there is no create-answers-202',
      'did you mean create-answers-201?',
    ],
    ['serve --shape round', 'there is no round', 'one of reference'],
  ] as const)('%s', ([command, what, remedy], { refused }) => refused(command, [what, remedy]));

  test('no command at all shows the help and is no success', async ({ refused }) => {
    await refused([], 'Examples:');
  });
});

describe('a base URL is refused with a remedy', () => {
  test.for([
    ['staging.example.com/shop', 'has no scheme', 'write https://staging.example.com/shop'],
    ['https://me:secret@staging.example.com', 'contains credentials', 'remove the part before @'],
    ['https://staging.example.com/?tenant=7', 'has a query', 'remove everything from ? on'],
    ['https://staging.example.com/api/v1', 'ends in /api/v1', 'leave it out: https://staging.example.com'],
    ['ftp://staging.example.com', 'has the scheme ftp', 'use http:// or https://'],
    ['', 'is empty', 'write it like https://'],
  ] as const)('%s', async ([baseUrl, what, remedy], { cli }) => {
    const { exitCode, stdout, stderr } = await cli(['run', '--base-url', baseUrl]);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toContain(`error: --base-url: the base URL ${what}`);
    expect(stderr).toContain(remedy);
    expect(stderr).not.toContain('secret');
  });
});

describe('a target file is refused with file, line, key and remedy', () => {
  test.for([
    ['not YAML', 'baseUrl: [', ['target.yaml:1:11: the file is not valid YAML', 'check indentation']],
    [
      'a misspelt key',
      'baseUrl: http://127.0.0.1:9\nkeys: { scopd: x }\n',
      ['target.yaml:2:9 (keys.scopd): unknown key keys.scopd', 'write scoped'],
    ],
    [
      'a value of another type',
      'baseUrl: http://127.0.0.1:9\nparameters:\n  slug: 12\n',
      ['target.yaml:3:9 (parameters.slug): parameters.slug must be text', "quote it: '12'"],
    ],
    [
      'an operation that there is not',
      'baseUrl: http://127.0.0.1:9\nbodies:\n  createCheckoutSession: {}\n',
      ['target.yaml:3:3 (bodies.createCheckoutSession)', 'createHostedCheckoutSession'],
    ],
    ['no base URL', 'parameters: { slug: a }\n', ['target.yaml', 'baseUrl']],
    [
      'a variable that is not set',
      'baseUrl: http://127.0.0.1:9\nkeys:\n  scoped: $' + '{SHOP_KEY}\n',
      ['target.yaml:3:11 (keys.scoped): the environment variable SHOP_KEY is not set', 'export SHOP_KEY='],
    ],
    [
      'a variable that is empty',
      'baseUrl: http://127.0.0.1:9\nkeys:\n  scoped: $' + '{EMPTY_KEY}\n',
      ['target.yaml:3:11 (keys.scoped): the environment variable EMPTY_KEY is empty', 'export EMPTY_KEY='],
    ],
    [
      'several mistakes at once',
      'baseUrl: staging\nkeys: { scopd: x }\n',
      ['target.yaml has 2 problems', 'target.yaml:1:10 (baseUrl)', 'target.yaml:2:9 (keys.scopd)'],
    ],
  ] as const)('%s', async ([, text, said], { folder, refused }) => {
    await writeFile(join(folder, 'target.yaml'), text);
    await refused('run --target target.yaml', said, { EMPTY_KEY: '' });
  });

  test('that does not exist', ({ refused }) =>
    refused('run --target nowhere.yaml', [
      'nowhere.yaml: the target file does not exist',
      'commerce-conformance init',
    ]));

  test('that is a folder', ({ folder, refused }) => refused(`run --target ${folder}`, 'this is a directory'));
});
