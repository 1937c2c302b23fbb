import { expect, it } from 'vitest';
import { isSecretHeader } from './secret-register.ts';

it.each([
  ['cf-access-client-secret', 'short', false],
  ['x-gateway-token', 'a', false],
  ['x-vercel-protection-bypass', 'word', false],
  ['cookie', 'a=b', false],
  ['x-gate', 'from-the-environment', true],
  ['x-gate', 'eyJhbGciOiJIUzI1NiJ9.e30.abc', false],
  ['x-gate', 'dGhpcyBpcyBzZWNyZXQ5', false],
])('the value of %s: %s is a secret', (name, value, fromEnvironment) => {
  expect(isSecretHeader(name, value, fromEnvironment)).toBe(true);
});

// A word that answers hold as well would be missing from the bodies that the checks read.
it.each([
  ['x-tenant', 'acme', false],
  ['x-region', 'eu-west-1', false],
  ['x-region', 'eu-1', true],
  ['x-tenant-id', '550e8400-e29b-41d4-a716-446655440000', false],
  ['x-environment', 'staging environment 4711', false],
  ['x-forwarded-proto', 'https', false],
])('the value of %s: %s is none', (name, value, fromEnvironment) => {
  expect(isSecretHeader(name, value, fromEnvironment)).toBe(false);
});
