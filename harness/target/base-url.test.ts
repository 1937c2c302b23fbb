import { describe, expect, it } from 'vitest';
import { UsageError } from '../usage-error.ts';
import { parseBaseUrl } from './base-url.ts';

describe('parseBaseUrl', () => {
  it.each([
    ['https://staging.example.com', 'https://staging.example.com'],
    ['https://staging.example.com/', 'https://staging.example.com'],
    ['HTTPS://Staging.Example.com:443/Gate%20way/x//', 'https://staging.example.com/Gate%20way/x'],
    ['http://[::1]:8080/a//b', 'http://[::1]:8080/a//b'],
    ['http://127.0.0.1:3000/@tenant/api/v1/shop', 'http://127.0.0.1:3000/@tenant/api/v1/shop'],
    ['https://host/myapi/v1', 'https://host/myapi/v1'],
  ])('reads %s', (text, expected) => {
    expect(parseBaseUrl(text, '--base-url')).toBe(expected);
  });

  it.each([
    ['', 'is empty', 'write it like https://'],
    ['   ', 'is empty', 'write it like https://'],
    [' https://host', 'white space', 'remove it'],
    ['https://host\n', 'white space', 'remove it'],
    ['staging.example.com/x', 'has no scheme', 'write https://staging.example.com/x'],
    ['localhost:8080', 'has no scheme', 'write http://localhost:8080'],
    ['host/gateway/api/v1/', 'has no scheme', 'write https://host/gateway'],
    ['//host/x', 'has no scheme', 'write https://host/x'],
    ['http:/host', 'has no scheme', 'write http://host'],
    ['ftp://host', 'scheme ftp', 'use http:// or https://'],
    ['https://', 'has no host', 'write it like https://'],
    ['https:///path', 'has no host', 'write it like https://'],
    ['https://:80/', 'has no host', 'write it like https://'],
    ['https://user:hush@host', 'contains credentials', 'remove the part before @'],
    ['user:hush@host', 'has no scheme', 'write https://host'],
    ['https://host?x=1', 'has a query', 'remove everything from ? on'],
    ['https://host/a#b?c', 'has a fragment', 'remove everything from # on'],
    ['https://host:99999', 'host or port', 'write it like https://'],
    ['https://host:port/', 'host or port', 'write it like https://'],
    ['https://host/{tenant}', 'characters that a URL cannot hold', 'fill in the values in braces'],
    ['https://host\\x', 'characters that a URL cannot hold', 'percent-encode'],
    ['https://host/a/../b', '. or .. segments', 'write the resolved path'],
    ['https://host/gateway/api/v1/', 'ends in /api/v1', 'leave it out: https://host/gateway'],
  ])('refuses %j', (text, what, remedy) => {
    const error = refusalOf(text);
    expect(error.problem.where).toBe('--base-url');
    expect(error.problem.what).toContain(what);
    expect(error.problem.remedy).toContain(remedy);
    expect(error.problem.remedy).not.toContain('/api/v1');
    expect(error.message).not.toContain('hush');
  });
});

function refusalOf(text: string): UsageError {
  try {
    parseBaseUrl(text, '--base-url');
  } catch (error) {
    if (error instanceof UsageError) return error;
  }
  throw new Error(`${text} was not refused with a UsageError`);
}
