import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { packageRoot } from '../../spec/package-root.ts';
import { exampleExchange } from '../checks/example-exchange.ts';
import type { Exchange } from '../model/exchange.ts';
import { bodyFormOf, identifyResponder } from './identify-responder.ts';
import { responders } from './responders.ts';

function answered(status: number, headers: Readonly<Record<string, string>>, body: string): Exchange {
  const exchange = exampleExchange({ status, body });
  const { response } = exchange;
  if (response === undefined) throw new Error('the example has no response');
  return { ...exchange, response: { ...response, headers: Object.entries(headers) } };
}

const json = { 'content-type': 'application/json' };
const html = { 'content-type': 'text/html' };

describe('identifyResponder', () => {
  it.each([
    // Recorded from the packages of Debian 12. Caddy, Varnish and HAProxy also write what others do, and are not told apart by it.
    [
      'nginx',
      502,
      { server: 'nginx/1.22.1', 'content-type': 'text/html', 'content-length': '157' },
      '<html>\r\n<head><title>502 Bad Gateway</title></head>\r\n<body>\r\n<center><h1>502 Bad Gateway</h1></center>\r\n<hr><center>nginx/1.22.1</center>\r\n</body>\r\n</html>\r\n',
    ],
    [
      'nginx',
      400,
      { server: 'nginx/1.22.1', 'content-type': 'text/html', 'content-length': '233' },
      '<html>\r\n<head><title>400 Request Header Or Cookie Too Large</title></head>\r\n<body>\r\n<center><h1>400 Bad Request</h1></center>\r\n<center>Request Header Or Cookie Too Large</center>\r\n<hr><center>nginx/1.22.1</center>\r\n</body>\r\n</html>\r\n',
    ],
    [
      'HAProxy',
      400,
      { 'content-length': '90', 'content-type': 'text/html' },
      '<html><body><h1>400 Bad request</h1>\nYour browser sent an invalid request.\n</body></html>\n',
    ],
    [
      'HAProxy',
      429,
      { 'content-length': '117', 'content-type': 'text/html' },
      '<html><body><h1>429 Too Many Requests</h1>\nYou have sent too many requests in a given amount of time.\n</body></html>\n',
    ],
    ['HTTP parser', 400, {}, ''],
    [
      'lighttpd',
      400,
      { server: 'lighttpd/1.4.69', 'content-type': 'text/html', 'content-length': '345' },
      '<?xml version="1.0" encoding="iso-8859-1"?>\n<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN"\n         "http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd">\n<html xmlns="http://www.w3.org/1999/xhtml" xml:lang="en" lang="en">\n <head>\n  <title>400 Bad Request</title>\n </head>\n <body>\n  <h1>400 Bad Request</h1>\n </body>\n</html>\n',
    ],
    [
      'Apache',
      400,
      {
        server: 'Apache/2.4.71 (Debian)',
        'content-length': '266',
        'content-type': 'text/html; charset=iso-8859-1',
      },
      '<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01//EN" "http://www.w3.org/TR/html4/strict.dtd">\n<html><head>\n<title>400 Bad Request</title>\n</head><body>\n<h1>Bad Request</h1>\n<p>Your browser sent a request that this server could not understand.<br />\n</p>\n</body></html>\n',
    ],
    [
      'Apache',
      417,
      {
        server: 'Apache/2.4.71 (Debian)',
        'content-length': '400',
        'content-type': 'text/html; charset=iso-8859-1',
      },
      '<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01//EN" "http://www.w3.org/TR/html4/strict.dtd">\n<html><head>\n<title>417 Expectation Failed</title>\n</head><body>\n<h1>Expectation Failed</h1>\n<p>The expectation given in the Expect request-header\nfield could not be met by this server.\nThe client sent<pre>\n    Expect: nonsense\n</pre>\n</p><p>Only the 100-continue expectation is supported.</p>\n</body></html>\n',
    ],
    ['Go net/http', 400, { 'content-type': 'text/plain; charset=utf-8' }, '400 Bad Request'],
    [
      'Go net/http',
      400,
      { 'content-type': 'text/plain; charset=utf-8' },
      '400 Bad Request: missing required Host header',
    ],
    ['Go net/http', 501, { 'content-type': 'text/plain; charset=utf-8' }, 'Unsupported transfer encoding'],
    ['Caddy', 431, { server: 'Caddy' }, ''],
    ['Caddy', 502, { server: 'Caddy', 'content-length': '0' }, ''],
    ['HTTP parser', 417, { 'content-length': '0' }, ''],
    ['HTTP parser', 400, {}, ''],
    [
      'Varnish',
      503,
      {
        server: 'Varnish',
        'content-type': 'text/html; charset=utf-8',
        'retry-after': '5',
        'x-varnish': '32781',
        via: '1.1 varnish (Varnish/7.1)',
        'content-length': '282',
      },
      '<!DOCTYPE html>\n<html>\n  <head>\n    <title>503 Backend fetch failed</title>\n  </head>\n  <body>\n    <h1>Error 503 Backend fetch failed</h1>\n    <p>Backend fetch failed</p>\n    <h3>Guru Meditation:</h3>\n    <p>XID: 32782</p>\n    <hr>\n    <p>Varnish cache server</p>\n  </body>\n</html>\n',
    ],
    [
      'gunicorn',
      400,
      { 'content-type': 'text/html', 'content-length': '200' },
      '<html>\n  <head>\n    <title>Bad Request</title>\n  </head>\n  <body>\n    <h1><p>Bad Request</p></h1>\n    Invalid Request Line &#x27;Invalid HTTP request line: &#x27;GARBAGE&#x27;&#x27;\n  </body>\n</html>\n',
    ],
    [
      'gunicorn',
      500,
      { 'content-type': 'text/html', 'content-length': '141' },
      '<html>\n  <head>\n    <title>Internal Server Error</title>\n  </head>\n  <body>\n    <h1><p>Internal Server Error</p></h1>\n    \n  </body>\n</html>\n',
    ],
    ['uvicorn', 400, { 'content-type': 'text/plain; charset=utf-8' }, 'Invalid HTTP request received.'],
    [
      'uvicorn',
      500,
      { server: 'uvicorn', 'content-type': 'text/plain; charset=utf-8' },
      'Internal Server Error',
    ],
    [
      'Tomcat',
      400,
      { 'content-type': 'text/html;charset=utf-8', 'content-length': '805' },
      '<!doctype html><html lang="en"><head><title>HTTP Status 400 – Bad Request</title><style type="text/css">body {font-family:Tahoma,Arial,sans-serif;} h1, h2, h3, b {color:white;background-color:#525D76;} h1 {font-size:22px;} h2 {font-size:16px;} h3 {font-size:14px;} p {font-size:12px;} a {color:black;} .line {height:1px;background-color:#525D76;border:none;}</style></head><body><h1>HTTP Status 400 – Bad Request</h1><hr class="line" /><p><b>Type</b> Status Report</p><p><b>Message</b> Invalid URI</p><p><b>Description</b> The server cannot or will not process the request due to something that is perceived to be a client error (e.g., malformed request syntax, invalid request message framing, or deceptive request routing).</p><hr class="line" /><h3>Apache Tomcat/10.1.60 (Debian)</h3></body></html>',
    ],
    // As the vendors document them, or as their sources write them.
    [
      'Envoy',
      503,
      { server: 'envoy' },
      'upstream connect error or disconnect/reset before headers. reset reason: connection failure',
    ],
    ['Envoy', 403, {}, 'RBAC: access denied'],
    ['axum', 415, {}, 'Expected request with `Content-Type: application/json`'],
    ['axum', 413, {}, 'length limit exceeded'],
    ['Actix Web', 400, {}, 'Json deserialize error: EOF while parsing an object at line 1 column 1'],
    ['Javalin', 404, { 'content-type': 'text/plain' }, 'Endpoint GET /api/v1/x not found'],
    ['Quarkus', 500, json, '{"details":"Error id 1","stack":""}'],
    ['Echo', 404, json, '{"message":"Not Found"}\n'],
    ['Laravel', 404, json, '{"message": "The route api/x could not be found."}'],
    [
      'Symfony',
      404,
      json,
      '{"type":"https:\\/\\/tools","title":"An error occurred","status":404,"detail":"Not Found"}',
    ],
    ['Sinatra', 404, html, '<h1>Not Found</h1>'],
    ['Envoy', 429, {}, 'local_rate_limited'],
    ['Traefik', 503, { 'content-type': 'text/plain; charset=utf-8' }, 'no available server\n'],
    ['Traefik', 502, {}, 'Bad Gateway'],
    ['Traefik', 413, {}, 'Request Entity Too Large'],
    ['Traefik', 429, { 'x-retry-in': '43ms' }, 'Too Many Requests'],
    [
      'Cloudflare',
      403,
      html,
      '<!DOCTYPE html><html><head><title>Attention Required! | Cloudflare</title></head></html>',
    ],
    ['Cloudflare', 403, { server: 'cloudflare' }, 'error code: 1020'],
    [
      'Amazon CloudFront',
      403,
      html,
      '<HTML><HEAD><TITLE>ERROR: The request could not be satisfied</TITLE></HEAD></HTML>',
    ],
    [
      'AWS Application Load Balancer',
      503,
      { ...html, server: 'awselb/2.0' },
      '<html>\r\n<head><title>503 Service Temporarily Unavailable</title></head>\r\n<body>\r\n<center><h1>503 Service Temporarily Unavailable</h1></center>\r\n</body>\r\n</html>\r\n',
    ],
    [
      'AWS API Gateway',
      429,
      { ...json, 'x-amzn-errortype': 'TooManyRequestsException' },
      '{"message":"Too Many Requests"}',
    ],
    [
      'IIS',
      400,
      html,
      '<HTML><HEAD><TITLE>Bad Request</TITLE></HEAD>\r\n<BODY><h2>Bad Request - Invalid URL</h2>\r\n<hr><p>HTTP Error 400. The request URL is invalid.</p>\r\n</BODY></HTML>',
    ],
    ['Jetty', 400, html, '<h1>Bad Message 400</h1><pre>reason: Illegal character</pre>'],
    [
      'Spring Boot',
      404,
      json,
      '{"timestamp":"2026-01-01T00:00:00Z","status":404,"error":"Not Found","path":"/x"}',
    ],
    ['Fastify', 404, json, '{"message":"Route GET:/x not found","error":"Not Found","statusCode":404}'],
    [
      'Express',
      404,
      html,
      '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>Error</title>\n</head>\n<body>\n<pre>Cannot GET /x</pre>\n</body>\n</html>\n',
    ],
    ['FastAPI', 404, json, '{"detail":"Not Found"}'],
    [
      'FastAPI',
      422,
      json,
      '{"detail":[{"type":"missing","loc":["body","a"],"msg":"Field required","input":null}]}',
    ],
    ['FastAPI', 404, { 'content-type': 'text/plain; charset=utf-8', server: 'uvicorn' }, 'Not Found'],
    ['Fastify or hapi', 500, json, '{"statusCode":500,"error":"Internal Server Error","message":"boom"}'],
    ['hapi', 400, json, '{"statusCode":400,"error":"Bad Request","message":"Invalid cookie header"}'],
    [
      'Fastify',
      400,
      json,
      '{"statusCode":400,"code":"FST_ERR_CTP_INVALID_JSON_BODY","error":"Bad Request","message":"Body is not valid JSON"}',
    ],
    ['NestJS', 404, json, '{"message":"Cannot GET /x","error":"Not Found","statusCode":404}'],
    ['NestJS', 404, json, '{"statusCode":404,"message":"Cannot GET /x","error":"Not Found"}'],
    ['NestJS', 400, json, '{"message":["a must be a string"],"error":"Bad Request","statusCode":400}'],
    ['NestJS', 500, json, '{"statusCode":500,"message":"Internal server error"}'],
    ['NestJS', 413, json, '{"statusCode":413,"message":"request entity too large"}'],
    ['NestJS', 401, json, '{"message":"Unauthorized","statusCode":401}'],
    ['Django REST framework', 403, json, '{"detail":"Authentication credentials were not provided."}'],
    ['Django REST framework', 404, json, '{"detail":"Not found."}'],
    ['Django REST framework', 405, json, '{"detail":"Method \\"DELETE\\" not allowed."}'],
    ['Django REST framework', 415, json, '{"detail":"Unsupported media type \\"text/plain\\" in request."}'],
    [
      'Django',
      500,
      html,
      '\n<!doctype html>\n<html lang="en">\n<head>\n  <title>Server Error (500)</title>\n</head>\n<body>\n  <h1>Server Error (500)</h1><p></p>\n</body>\n</html>\n',
    ],
    ['Rails', 404, json, '{"status":404,"error":"Not Found"}'],
    ['Rails', 400, { 'x-runtime': '0.001487', 'content-type': 'text/html; charset=UTF-8' }, ''],
    [
      'Rails',
      422,
      html,
      '<!DOCTYPE html><html><head><title>The change you wanted was rejected (422)</title>',
    ],
    ['Puma', 500, {}, 'An unhandled lowlevel error occurred. The application logs may have details.\n'],
    [
      'Spring Boot',
      500,
      json,
      '{"timestamp":"2026-01-01T00:00:00Z","path":"/x","status":500,"error":"Internal Server Error","requestId":"a-1"}',
    ],
    [
      'Spring Boot',
      403,
      { 'x-xss-protection': '0', 'cache-control': 'no-cache, no-store, max-age=0, must-revalidate' },
      '',
    ],
    [
      'gunicorn',
      414,
      html,
      '<html>\n  <head>\n    <title>URI Too Long</title>\n  </head>\n  <body>\n    <h1><p>URI Too Long</p></h1>\n    Request Line is too large\n  </body>\n</html>\n',
    ],
    ['Go net/http', 404, { 'content-type': 'text/plain; charset=utf-8' }, '404 page not found\n'],
    ['Go net/http', 301, html, '<a href="/x">Moved Permanently</a>.\n\n'],
    [
      'Flask',
      404,
      html,
      '<!doctype html>\n<html lang=en>\n<title>404 Not Found</title>\n<h1>Not Found</h1>\n',
    ],
    [
      'F5 BIG-IP ASM',
      200 + 203,
      html,
      '<html><head><title>Request Rejected</title></head><body>The requested URL was rejected. Please consult with your administrator.</body></html>',
    ],
  ] as const)('recognises %s by its %d', (name, status, headers, body) => {
    expect(identifyResponder(answered(status, headers, body))?.responder.name).toBe(name);
  });

  it.each([
    [404, json, '{"code":"not_found","message":"No such product."}'],
    [404, json, '{"error":{"code":"x"}}'],
    [404, json, '{"detail":"no such product"}'],
    [404, json, '{"status":404,"error":"no such product"}'],
    [404, json, '{"message":"no such product","statusCode":404}'],
    [403, { 'x-xss-protection': '0' }, ''],
    [403, { ...json, server: 'nginx/1.22.1' }, '{"code":"forbidden"}'],
    [401, { ...json, server: 'envoy' }, '{"message":"no"}'],
    [404, { ...html, server: 'nginx' }, '<h1>Sorry</h1>'],
    [400, { server: 'envoy', 'x-envoy-upstream-service-time': '3' }, ''],
    [400, { 'x-request-id': '1' }, ''],
    [200, { ...html, server: 'nginx' }, '<hr><center>nginx</center>'],
  ])('takes no error of a service for that of another: %d %j %s', (status, headers, body) => {
    expect(identifyResponder(answered(status, headers, body))).toBeUndefined();
  });

  it('says nothing of a request without a response', () => {
    expect(identifyResponder(exampleExchange({ failure: 'reset' }))).toBeUndefined();
  });
});

describe('responders', () => {
  it('name each responder once, with a fix and a sign', () => {
    expect(new Set(responders.map(({ name }) => name)).size).toBe(responders.length);
    for (const { fix, signs } of responders) {
      expect(fix).not.toBe('');
      expect(signs.length).toBeGreaterThan(0);
    }
  });
});

describe('the settings for nginx', () => {
  it('are those of the configuration that real stacks are tested with', async () => {
    const { fix, throttling } = responders.find(({ name }) => name === 'nginx') ?? {};
    const settings = `${fix} ${throttling}`.match(/\berror_page [^`]*;/g) ?? [];
    const file = await readFile(join(packageRoot, 'fixtures/stacks/fronts/nginx.conf'), 'utf8');
    expect(settings).toHaveLength(4);
    for (const setting of settings) expect(file).toContain(`#[recommended] ${setting}`);
    expect(settings.join()).not.toMatch(/50\d[^;]*\/refused/);
  });
});

describe('bodyFormOf', () => {
  it.each([
    ['', 'empty'],
    ['{}', 'json object'],
    ['[]', 'other json'],
    ['<!DOCTYPE html><p>no</p>', 'html'],
    ['no', 'text'],
  ])('of %j is %s', (body, form) => {
    expect(bodyFormOf(exampleExchange({ status: 400, body }))).toBe(form);
  });
});
