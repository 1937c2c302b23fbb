import { afterAll, beforeAll, expect, it } from 'vitest';
import { type RunningService, startService } from '../../fixtures/reference-service/start-service.ts';
import { parseBody } from '../../harness/evidence/answer.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import type { Json } from '../../harness/model/target.ts';
import { classesOf } from '../../suites/request/body-classes.ts';
import { keyOfBody } from '../../suites/request/fresh-bodies.ts';
import { bodyClasses, combinedForms, unusualForms } from '../../suites/request/unusual-forms.ts';
import { corpusOf, isOfKind, pathValues } from '../../suites/resource/path-values.ts';
import { evaluateService } from './evaluate-service.ts';

const created = 'createHostedCheckoutSession';
const pathClasses = [...new Set(pathValues.map((value) => value.class))];
const others = (name: string): readonly string[] =>
  corpusOf(
    pathValues.filter((value) => value.class !== name),
    0,
  ).map(({ label }) => label);
const valid = {
  merchant: 'atelier-nord',
  returnUrl: 'https://shop.example/return',
  items: [{ product: 'linen-shirt', quantity: 2 }],
};

let service: RunningService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

async function sentWithout(
  classes: readonly string[],
  operations: readonly string[],
): Promise<readonly Exchange[]> {
  const sent: Exchange[] = [];
  const exclude = classes.map((name) => ({ class: name, reason: 'test' }));
  const target = { ...service.target, exclude };
  await evaluateService(
    { ...service, target },
    {
      options: { operations, checks: ['resource/*', 'request/*', 'client/*'], fuzzRuns: 80 },
      observe: (exchange) => sent.push(exchange),
    },
  );
  return sent;
}

it.each(pathClasses)('sends no path value of the class %s', async (name) => {
  const kinds = pathValues.filter((value) => value.class === name);
  const sent = await sentWithout([name], ['getPublicProduct']);
  const wrong = sent.filter(({ label, request: { values } }) => {
    const raw = values['slug'];
    if (raw?.source !== 'generated' || others(name).some((what) => label.endsWith(what))) return false;
    return kinds.some((kind) => isOfKind(raw.value, kind, 'linen-shirt'));
  });
  expect(wrong.map(({ label, request }) => `${label} ${request.path}`)).toEqual([]);
  expect(sent.length).toBeGreaterThan(40);
});

it.each(pathClasses)('sends no query of the class %s', async (name) => {
  const kinds = pathValues.filter((value) => value.class === name);
  const sent = await sentWithout([name], ['searchPublicProducts']);
  const values = sent.flatMap(({ request: { path } }) =>
    (path.split('?')[1] ?? '').split('&').map((parameter) => parameter.split(/=(.*)/s)[1] ?? ''),
  );
  expect(values.filter((raw) => kinds.some((kind) => isOfKind(raw, kind, '')))).toEqual([]);
  expect(values.length).toBeGreaterThan(0);
});

it.each(bodyClasses)('sends no body of the class %s', async (name) => {
  const sent = await sentWithout([name], [created]);
  const forms = unusualForms(valid).filter((form) => form.class !== name);
  const labels = forms.map(({ label }) => label);
  const combined = combinedForms(valid, forms).map(keyOfBody);
  const wrong = sent.filter(({ label, request, operation }) => {
    const body = parseBody(request.body);
    if (body === undefined || operation !== created || labels.includes(label)) return false;
    if (combined.some((key) => key.endsWith(` ${request.body?.text}`))) return false;
    return [...classesOf(body as Json, valid)].includes(name);
  });
  expect(
    wrong.map(({ case: { check }, label, request }) => `${check} ${label} ${request.body?.text}`),
  ).toEqual([]);
});
