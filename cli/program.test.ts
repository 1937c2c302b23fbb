import { describe, expect } from 'vitest';
import { callCli, test } from '../e2e/in-process-for-tests.ts';
import { commandDescriptions } from './command-list.ts';

const commands = [
  ...['run', 'render', 'diff', 'baseline', 'replay', 'doctor', 'plan', 'init', 'checks', 'explain', 'serve'],
];

describe('--help', () => {
  test('lists the commands, examples and exit codes', async () => {
    const { exitCode, stdout } = await callCli(['--help']);
    expect(exitCode).toBe(0);
    for (const command of commands) expect(stdout).toMatch(new RegExp(`^  ${command}\\b`, 'm'));
    expect(stdout).toContain('Examples:');
    expect(stdout).toContain('143 interrupted');
  });

  test.for(commands)('of %s has an example', async (command) => {
    const { exitCode, stdout } = await callCli([command, '--help']);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(new RegExp(`Examples?:\\n(?:.*\\n)*.*npx commerce-conformance ${command}`));
  });

  test('--version is the version of the package', async () => {
    const { stdout } = await callCli(['--version']);
    expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });
});

test.for(Object.keys(commandDescriptions))('%s takes --no-color', async (name) => {
  const { exitCode, stdout } = await callCli([name, '--no-color', '--help']);
  expect(exitCode).toBe(0);
  expect(stdout).toContain('--no-color');
});

describe('checks', () => {
  test('lists each check with requirement and level', async () => {
    const { exitCode, stdout } = await callCli(['checks']);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^auth\/invalid-key-is-refused +AUTH-3 +must +on 11 /m);
  });
});

describe('explain', () => {
  test.for(['AUTH-3', 'auth-3', 'auth/invalid-key-is-refused'])('%s', async (name) => {
    const { exitCode, stdout } = await callCli(['explain', name]);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^AUTH-3 must {2}/);
    expect(stdout).toMatch(/^ {2}Authentication, rule 4: .*\(docs\/contract\.md#authentication-rule-4\)$/m);
    expect(stdout).toMatch(/Why it matters:\n {2}A key that is compared loosely/);
    expect(stdout).toMatch(/Allowed, and never reported:\n {2}- any format of keys/);
    expect(stdout).toMatch(/How to fix a service that fails it:\n {2}Look up the whole key exactly/);
    expect(stdout).toMatch(/serve --fault <name>\):\n {4}[\w-]+: .+\n/);
  });
});

describe('explain a case', () => {
  test('names the faults of its operation first', async () => {
    const { stdout } = await callCli(['explain', 'cancelHostedCheckoutSession/auth/invalid-key-is-refused']);
    expect(stdout).toMatch(/serve --fault <name>\):\n {4}cancel-accepts-any-key: /);
    expect(stdout).toContain(
      'run --target target.yaml --check auth/invalid-key-is-refused --operation cancelHostedCheckoutSession',
    );
    expect(stdout).toMatch(/and \d+ more: docs\/proof\.md/);
  });

  test('refuses one that does not exist', async () => {
    const { exitCode, stderr } = await callCli(['explain', 'getPublicBootstrap/auth/invalid-key-is-refused']);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('auth/invalid-key-is-refused does not apply to getPublicBootstrap');
  });
});

describe('serve', () => {
  test('lists its faults and variants', async () => {
    const [faults, variants] = await Promise.all([
      callCli(['serve', '--fault', 'list']),
      callCli(['serve', '--variant', 'list']),
    ]);
    expect(faults.stdout).toMatch(/^create-answers-201: /m);
    expect(variants.stdout).toMatch(/^cancel-may-be-repeated: /m);
  });
});
