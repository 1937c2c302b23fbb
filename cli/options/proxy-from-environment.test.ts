import { describe, expect, it } from 'vitest';
import { UsageError } from '../../harness/usage-error.ts';
import { proxyFromEnvironment } from './proxy-from-environment.ts';

const proxy = 'http://proxy.example:3128';

describe('proxyFromEnvironment', () => {
  it.each([
    ['https://shop.example', { HTTPS_PROXY: proxy }, 'HTTPS_PROXY'],
    ['https://shop.example', { HTTPS_PROXY: proxy, https_proxy: proxy }, 'https_proxy'],
    ['http://shop.example', { HTTP_PROXY: proxy }, 'HTTP_PROXY'],
    ['http://shop.example', { http_proxy: '', HTTP_PROXY: proxy }, 'HTTP_PROXY'],
    ['http://shop.example', { ALL_PROXY: proxy }, 'ALL_PROXY'],
    ['https://shop.example', { HTTP_PROXY: proxy }, undefined],
    ['http://shop.example', { HTTPS_PROXY: proxy }, undefined],
    ['http://shop.example', {}, undefined],
    ['http://localhost:8080', { HTTP_PROXY: proxy }, 'HTTP_PROXY'],
  ])('takes for %s of %j the variable %s', (baseUrl, env, variable) => {
    expect(proxyFromEnvironment(baseUrl, env)?.variable).toBe(variable);
  });

  it.each([
    ['http://shop.example', '*'],
    ['http://shop.example', 'shop.example'],
    ['http://shop.example', 'SHOP.example.'],
    ['http://a.shop.example', 'shop.example'],
    ['http://a.shop.example', '.shop.example'],
    ['http://a.shop.example', '*.shop.example'],
    ['http://shop.example', 'other.example, shop.example'],
    ['http://shop.example', 'other.example shop.example'],
    ['http://shop.example:8080', 'shop.example:8080'],
    ['http://shop.example', 'shop.example:80'],
    ['http://localhost:8080', 'localhost'],
    ['http://127.0.0.1:8080', '127.0.0.1'],
    ['http://127.0.0.1:8080', '127.0.0.0/8'],
    ['http://10.1.2.3', '10.0.0.0/8'],
    ['http://[::1]:8080', '::1'],
    ['http://[::1]:8080', '[::1]:8080'],
    ['http://[fd00::1]', 'fd00::/8'],
  ])('leaves %s alone where NO_PROXY is %s', (baseUrl, list) => {
    expect(proxyFromEnvironment(baseUrl, { HTTP_PROXY: proxy, NO_PROXY: list })).toBeUndefined();
    expect(proxyFromEnvironment(baseUrl, { HTTP_PROXY: proxy, no_proxy: list })).toBeUndefined();
  });

  it.each([
    ['http://shop.example', 'shop.example:8080'],
    ['http://shop.example', 'a.shop.example'],
    ['http://myshop.example', 'shop.example'],
    ['http://shop.example', ',  ,'],
    ['http://shop.example', '.'],
    ['http://shop.example', '10.0.0.0/8'],
    ['http://11.1.2.3', '10.0.0.0/8'],
    ['http://10.1.2.3', '2.3'],
    ['http://10.1.2.3', '10.0.0.0/99'],
    ['http://[::1]', '10.0.0.0/8'],
  ])('does not leave %s alone where NO_PROXY is %s', (baseUrl, list) => {
    expect(proxyFromEnvironment(baseUrl, { HTTP_PROXY: proxy, NO_PROXY: list })).toBeDefined();
  });

  it.each([
    ['proxy.example:3128', 'http://proxy.example:3128'],
    ['https://proxy.example', 'https://proxy.example'],
    ['http://me:p%40ss@proxy.example:3128/', 'http://me:p%40ss@proxy.example:3128'],
    [' http://$&:x@proxy.example ', 'http://$&:x@proxy.example'],
    ['HTTP://proxy.example:80', 'http://proxy.example'],
  ])('reads %s', (value, url) => {
    expect(proxyFromEnvironment('http://shop.example', { HTTP_PROXY: value })?.url).toBe(url);
  });

  it.each([
    ['socks5://me:secret-word@proxy.example', 'proxies of the scheme socks5 are not supported'],
    ['http://me:secret-word@', 'this is not the URL of a proxy'],
    ['http://me:secret-word%zz@proxy.example', 'this is not the URL of a proxy'],
    ['://', 'this is not the URL of a proxy'],
  ])('refuses %s without repeating what is secret', (value, what) => {
    const read = (): unknown => proxyFromEnvironment('http://shop.example', { ALL_PROXY: value });
    expect(read).toThrow(UsageError);
    expect(read).toThrow(`ALL_PROXY: ${what}`);
    expect(read).not.toThrow('secret-word');
  });
});
