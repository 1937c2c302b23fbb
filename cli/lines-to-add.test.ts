import { expect, test } from 'vitest';
import { parse } from 'yaml';
import type { BodyAnswer } from '../harness/target/find-bodies.ts';
import type { MissingNeed } from '../harness/target/missing-needs.ts';
import { linesToAdd, renderLinesToAdd } from './lines-to-add.ts';

const answer: BodyAnswer = {
  operation: 'consumeHostedLoginReturn',
  given: false,
  sent: {},
  status: 400,
  settled: false,
  says: 'state is\u001b[31m required',
  holds: [],
  lacks: [],
};

function needOf(at: readonly string[], value: string): MissingNeed {
  return { reason: `no ${at.at(-1)}`, remedy: at.join('.'), line: { at, value } };
}

const lines = linesToAdd(
  [
    { need: needOf(['parameters', 'getPublicMerchantProduct', 'merchantSlug'], '…'), cases: [1] },
    { need: needOf(['parameters', 'getPublicMerchantProduct', 'productSlug'], '…'), cases: [1] },
    { need: needOf(['bodies', 'consumeHostedLoginReturn'], '{ … }'), cases: [1, 2, 3] },
  ],
  {
    authorization: undefined,
    keysAreSwapped: undefined,
    captures: {},
    proxies: [],
    bodies: [
      answer,
      {
        ...answer,
        operation: 'createHostedCheckoutSession',
        status: 200,
        settled: true,
        sessionId: { from: 'createHostedCheckoutSession', pointer: '/handle' },
      },
      { ...answer, operation: 'initiateHostedLogin', given: true, status: 200, holds: ['/mark'] },
    ],
  },
  'Bearer {key}',
);
const rendered = renderLinesToAdd(lines);

test('stands as one piece of YAML, each section once', () => {
  expect(parse(rendered.join('\n'))).toEqual({
    authorization: 'Bearer {key}',
    bodies: { createHostedCheckoutSession: {}, consumeHostedLoginReturn: { '…': null } },
    captures: { sessionId: { from: 'createHostedCheckoutSession', pointer: '/handle' } },
    parameters: { getPublicMerchantProduct: { merchantSlug: '…', productSlug: '…' } },
  });
});

test("names the cases that each line completes and the service's answer, without control characters", () => {
  expect(rendered).toContain('  # completes 3 cases: no consumeHostedLoginReturn');
  expect(rendered.find((line) => line.includes('the service answers 400'))).toMatch(
    /state is\\x1b\[31m required/i,
  );
  expect(rendered.join('\n')).toContain('# initiateHostedLogin issues /mark; to use one: captures:');
});

test('proposes what was answered with 200 in place of a body', () => {
  const captures = { loginState: { from: 'initiateHostedLogin', pointer: '/state' } };
  const better = { body: { state: '{loginState}' }, captures };
  const found = linesToAdd(
    [],
    {
      authorization: undefined,
      keysAreSwapped: undefined,
      captures: {},
      proxies: [],
      bodies: [{ ...answer, given: true, better }],
    },
    undefined,
  );
  expect(parse(renderLinesToAdd(found).join('\n'))).toEqual({
    bodies: { consumeHostedLoginReturn: { state: '{loginState}' } },
    captures,
  });
});
