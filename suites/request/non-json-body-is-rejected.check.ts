import { judgeBodyRefusals, probeBodies } from '../../harness/checks/body-refusal.ts';
import type { ActiveCheck } from '../../harness/checks/check.ts';
import { exampleExchange, exampleOperation } from '../../harness/checks/example-exchange.ts';
import { malformedBodies } from './malformed-bodies.ts';

const create = exampleOperation({
  id: 'createHostedCheckoutSession',
  method: 'POST',
  requestSchema: 'HostedCheckoutCreateRequest',
});
const control = exampleExchange({ role: 'control', status: 200 });
const witness = exampleExchange({ role: 'witness', status: 200 });

/** Begins the label of what may be answered as the target sees fit: it only shows whether STATUS-1 and ERROR-1 hold. */
const free = 'answered freely: ';

const check: ActiveCheck = {
  kind: 'active',
  requirement: 'REQUEST-2',
  title: 'a call whose body is not JSON is answered 400',
  applies: ({ requestSchema }) => requestSchema !== undefined,
  needs: () => ['valid-call'],
  requests: () => 21,
  probe: async (caller, operation) => {
    await probeBodies(caller, operation, (sent) => malformedBodies(sent?.request.body?.text ?? '{"a":1}'));
    const valid = caller.exchanges.findLast(({ role }) => role === 'control')?.request.body?.text ?? '';
    // No session of its own: a target may keep one open at a time.
    const { values = {} } = caller.exchanges.findLast(({ role }) => role === 'probe')?.request ?? {};
    const parameters = Object.fromEntries(Object.entries(values).map(([name, { value }]) => [name, value]));
    for (const [what, text, contentType] of freeBodies(valid)) {
      const body = { bytes: Buffer.from(text), contentType };
      await caller.call({ role: 'probe', label: `${free}${what}`, body, parameters });
    }
  },
  judge: ({ exchanges }) =>
    judgeBodyRefusals(
      exchanges.filter(({ label }) => !label.startsWith(free)),
      { statement: 'a body that is not JSON is refused' },
    ),
  examples: [
    {
      name: 'refused with 400',
      given: { operation: create, exchanges: [control, truncated(400)] },
      says: 'pass',
    },
    { name: 'let in', given: { operation: create, exchanges: [control, truncated(200)] }, says: 'violated' },
    {
      name: '422',
      given: { operation: create, exchanges: [control, truncated(422), witness] },
      says: 'violated',
    },
    {
      name: '500',
      given: { operation: create, exchanges: [control, truncated(500), witness] },
      says: 'violated',
    },
    {
      name: '404, as if the body had named something',
      given: { operation: create, exchanges: [control, truncated(404), witness] },
      says: 'violated',
    },
    {
      name: 'no answer, and the valid call is answered again',
      given: {
        operation: create,
        exchanges: [
          control,
          exampleExchange({ label: 'JSON without its last character', failure: 'reset' }),
          witness,
        ],
      },
      says: 'violated',
    },
    {
      name: '503, as is the valid call by now',
      given: {
        operation: create,
        exchanges: [control, truncated(503), exampleExchange({ role: 'witness', status: 503 })],
      },
      says: 'inconclusive',
    },
    {
      name: 'JSON under another media type is taken',
      given: {
        operation: create,
        exchanges: [
          control,
          truncated(400),
          exampleExchange({ label: `${free}valid JSON under text/plain`, status: 200 }),
        ],
      },
      says: 'pass',
    },
    {
      name: 'refused, but so was the valid call',
      given: {
        operation: create,
        exchanges: [exampleExchange({ role: 'control', status: 404 }), truncated(400)],
      },
      says: 'inconclusive',
    },
  ],
};

export default check;

function truncated(status: number): ReturnType<typeof exampleExchange> {
  return exampleExchange({ label: 'JSON without its last character', status });
}

/** Well-formed JSON that breaks careless services, and valid JSON under media types that are often refused with 415. */
function freeBodies(
  valid: string,
): ReadonlyArray<readonly [what: string, text: string, contentType: string]> {
  const json = 'application/json';
  const everyText = /:\s*"(?:[^"\\]|\\.)*"/g;
  return [
    ['valid JSON under text/plain', valid, 'text/plain'],
    ['valid JSON under application/json with a charset', valid, 'application/json; charset=utf-8'],
    ['an empty object', '{}', json],
    [
      'an escaped NUL in every text',
      valid.replace(everyText, (text) => `${text.slice(0, -1)}\\u0000"`),
      json,
    ],
    ['null for every text', valid.replace(everyText, ':null'), json],
    ['numbers for every text', valid.replace(everyText, ':1'), json],
    ['a thousand letters for every text', valid.replace(everyText, `:"${'a'.repeat(1000)}"`), json],
  ];
}
