import { expect, test } from 'vitest';
import { changeAnswers, htmlPage, withBody, withHeader } from '../../fixtures/mutators/change-answers.ts';
import type { ServiceParts } from '../../fixtures/reference-service/service-parts.ts';
import { startService } from '../../fixtures/reference-service/start-service.ts';
import { loadCatalogue } from '../checks/catalogue.ts';
import { Run } from '../engine/run/run.ts';
import { defaultOptions } from './default-options.ts';
import { targetFromObject } from './target-description.ts';

async function inFrontOf(alter: (parts: ServiceParts) => void): Promise<readonly string[]> {
  const service = await startService({ alter: [alter] });
  const { contract } = await loadCatalogue();
  const target = targetFromObject(service.target, 'test', contract);
  const run = await Run.open({ target, options: defaultOptions });
  const { proxies } = await run.survey();
  await run.close();
  await service.close();
  return proxies.map(({ name, why }) => `${name} (${why})`);
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
