import { describe, expect, test } from 'vitest';
import { refuseOtherHosts } from './refuse-ways.ts';

const refusal = (allowed: readonly string[], baseUrl: string, file = {}): string | undefined => {
  try {
    refuseOtherHosts(allowed, baseUrl, file);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
};

describe('hosts of --allow-host', () => {
  test.each([
    ['staging.example.com', 'https://staging.example.com/shop'],
    ['staging.example.com', 'https://staging.example.com:443'],
    ['staging.example.com:8443', 'https://STAGING.example.com:8443'],
    ['*.example.com', 'https://a.b.example.com'],
    ['http://localhost:8080', 'http://localhost:8080/x'],
    ['http://[::1]:8080', 'http://[::1]:8080'],
  ])('%s allows %s', (host, url) => {
    expect(refusal([host], url)).toBeUndefined();
  });

  test.each([
    ['staging.example.com', 'http://staging.example.com'],
    ['staging.example.com', 'https://staging.example.com:8443'],
    ['staging.example.com', 'https://staging.example.com.evil.example'],
    ['staging.example.com', 'https://stagingXexample.com'],
    ['*.example.com', 'https://example.com'],
    ['*.example.com', 'https://evilexample.com'],
    ['http://localhost:8080', 'http://127.0.0.1:8080'],
  ])('%s does not allow %s', (host, url) => {
    expect(refusal([host], url)).toContain('is not among the allowed hosts');
  });

  test.each([
    [{ insecure: true }, 'the target file sets options.insecure'],
    [{ unixSocket: '/tmp/socket' }, 'the target file sets options.unixSocket'],
    [{ ca: 'ca.pem' }, 'the target file sets options.ca'],
    [{ spec: 'https://other.example/openapi.json' }, 'an OpenAPI document at a host that is not allowed'],
  ])('a target file with %j is refused', (file, what) => {
    expect(refusal(['a.example'], 'https://a.example', file)).toContain(what);
  });
});
