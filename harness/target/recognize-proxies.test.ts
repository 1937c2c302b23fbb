import { expect, test } from 'vitest';
import { changeAnswers, htmlPage, withBody, withHeader } from '../../fixtures/mutators/change-answers.ts';
import type { ServiceParts } from '../../fixtures/reference-service/service-parts.ts';
import { startService } from '../../fixtures/reference-service/start-service.ts';
import { loadCatalogue } from '../checks/catalogue.ts';
import { Run } from '../engine/run/run.ts';
import { defaultOptions } from './default-options.ts';
import type { RecognizedProxy } from './recognize-proxies.ts';
import { targetFromObject } from './target-description.ts';

async function recognizedIn(alter: (parts: ServiceParts) => void): Promise<readonly RecognizedProxy[]> {
  const service = await startService({ alter: [alter] });
  const { contract } = await loadCatalogue();
  const target = targetFromObject(service.target, 'test', contract);
  const run = await Run.open({ target, options: defaultOptions });
  const { proxies } = await run.survey();
  await run.close();
  await service.close();
  return proxies;
}

async function inFrontOf(alter: (parts: ServiceParts) => void): Promise<readonly string[]> {
  return (await recognizedIn(alter)).map(({ name, why }) => `${name} (${why})`);
}

/** What a run reports about the one proxy in front, and the beginning of how to avoid each. */
async function expectedOf(alter: (parts: ServiceParts) => void): Promise<readonly string[]> {
  const proxies = await recognizedIn(alter);
  expect(proxies).toHaveLength(1);
  return proxies.flatMap(({ expectations }) =>
    expectations.map(({ expect: says, fix = '' }) => `${says} ${fix.slice(0, 30)}`.trim()),
  );
}

const withHeaders = (name: string, value: string) => (parts: ServiceParts) =>
  changeAnswers(parts, {}, (answer) => withHeader(answer, name, value));

test.each([
  ['server', 'nginx/1.26.0', 'nginx (server: nginx/1.26.0)'],
  ['via', '1.1 varnish (Varnish/7.5)', 'Varnish (via: 1.1 varnish (Varnish/7.5))'],
  ['cf-ray', '8a-FRA', 'Cloudflare (cf-ray: 8a-FRA)'],
  ['x-envoy-upstream-service-time', '3', 'Envoy (x-envoy-upstream-service-time: 3)'],
])('recognizes a proxy by %s: %s', async (name, value, expected) => {
  expect(await inFrontOf(withHeaders(name, value))).toEqual([expected]);
});

test('recognizes a proxy by its page for a value that it refuses', async () => {
  const page =
    '<html><body><h1>400 Bad request</h1>\nYour browser sent an invalid request.\n</body></html>\n';
  const proxies = await inFrontOf((parts) =>
    changeAnswers(parts, {}, (answer, { rawPath }) =>
      /%00/.test(rawPath) ? { ...withBody(answer, page, 'text/html'), status: 400 } : answer,
    ),
  );
  expect(proxies).toEqual([expect.stringMatching(/^HAProxy \(HTML page "400 Bad request/)]);
});

const nginxPage =
  '<html>\r\n<head><title>400 Bad Request</title></head>\r\n<body>\r\n<center><h1>400 Bad Request</h1></center>\r\n<hr><center>nginx</center>\r\n</body>\r\n</html>\r\n';
const limiter =
  'If it uses limit_req, it answers 503 unless it is set up otherwise: one root cause, which fails. Set `limit_req_status 429;` (a';

test('says of nginx that it has a page for NUL where it answers with one', async () => {
  const says = await expectedOf((parts) => {
    withHeaders('server', 'nginx')(parts);
    changeAnswers(parts, {}, (answer, { rawPath }) =>
      /%00/.test(rawPath) ? { ...withBody(answer, nginxPage, 'text/html'), status: 400 } : answer,
    );
  });
  expect(says).toEqual([
    'It answers paths that hold NUL with a page of its own: one root cause, which warns. Set `error_page 400 404 /refus',
    limiter,
  ]);
});

test('says of nginx that nothing is reported where it answers NUL with no page', async () => {
  expect(await expectedOf(withHeaders('server', 'nginx'))).toEqual([
    'It answers paths that hold NUL with no page of its own: nothing is reported.',
    limiter,
  ]);
});

test('says what nginx does by default where something before it answers NUL', async () => {
  const proxies = await recognizedIn((parts) =>
    changeAnswers(parts, {}, (answer, { rawPath }) =>
      /%00/.test(rawPath)
        ? { ...withBody(answer, htmlPage('403 Forbidden'), 'text/html'), status: 403 }
        : withHeader(answer, 'server', 'nginx'),
    ),
  );
  const nginx = proxies.find(({ name }) => name === 'nginx');
  expect(nginx?.expectations[0]?.expect).toMatch(
    /^With its default settings, it answers paths that hold NUL/,
  );
});

test('says of Apache by its answers to an encoded slash and NUL whether it has a page for them', async () => {
  expect(await expectedOf(withHeaders('server', 'Apache/2.4.57'))).toEqual([
    'It answers encoded slashes and paths that hold NUL with no page of its own: nothing is reported.',
  ]);
  const page =
    '<!DOCTYPE HTML PUBLIC "-//IETF//DTD HTML 2.0//EN"><html><head><title>400 Bad Request</title></head></html>';
  const forNul = await expectedOf((parts) =>
    changeAnswers(parts, {}, (answer, { rawPath }) =>
      /%00/.test(rawPath)
        ? { ...withBody(answer, page, 'text/html'), status: 400 }
        : withHeader(answer, 'server', 'Apache/2.4.57'),
    ),
  );
  expect(forNul).toEqual([
    expect.stringMatching(
      /^It answers paths that hold NUL with a page of its own: one root cause, which warns\./,
    ),
  ]);
});

test('recognizes a firewall by its page for SQL in a path', async () => {
  const proxies = await inFrontOf((parts) =>
    changeAnswers(parts, {}, (answer, { rawPath }) =>
      /OR/.test(rawPath)
        ? { ...withBody(answer, htmlPage('403 Forbidden'), 'text/html'), status: 403 }
        : answer,
    ),
  );
  expect(proxies).toEqual(['A firewall (an HTML page under 403)']);
});

test('finds nothing in front of a service that answers for itself, whatever its pages look like', async () => {
  expect(await inFrontOf(() => undefined)).toEqual([]);
  const page = htmlPage('404 Not Found');
  expect(
    await inFrontOf((parts) =>
      changeAnswers(parts, { status: 404 }, (one) => withBody(one, page, 'text/html')),
    ),
  ).toEqual([]);
});
