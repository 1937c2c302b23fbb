import type { ActiveCheck } from '../../harness/checks/check.ts';
import { inconclusive, pass, violatedOr } from '../../harness/checks/outcomes.ts';
import { describeAnswer, statusOf } from '../../harness/evidence/answer.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import type { CaseClient } from '../../harness/requests/case-client.ts';
import { unknownLike } from '../../harness/requests/mutate-preserving-shape.ts';
import type { Operation } from '../../spec/contract.ts';
import { isIssuedEachTime } from './issued-values.ts';

/** Calls under way at once, so that what breaks only in a crowd breaks here. */
const calls = 7;

const check: ActiveCheck = {
  kind: 'active',
  last: true,
  requirement: 'SURFACE-1',
  title: 'a valid read is answered every time, also in a crowd and after one that found nothing',
  applies: (operation) => operation.method === 'GET' && !isIssuedEachTime(operation),
  needs: () => ['valid-call'],
  requests: ({ pathParameters }) => 1 + Math.min(1, pathParameters.length) + calls,
  probe: async (client, operation) => {
    const first = await client.call({ role: 'control', label: 'valid call' });
    if (statusOf(first) !== 200) return;
    await callUnknown(client, operation, first);
    await Promise.all(
      Array.from({ length: calls }, () =>
        // On a connection that was idle a reset would say nothing.
        client.call({ role: 'probe', label: 'valid call in a crowd', connection: 'fresh' }),
      ),
    );
  },
  evaluate: ({ exchanges }) => {
    const probes = exchanges.filter(({ role }) => role === 'probe');
    if (probes.length === 0) return inconclusive('the valid call was not answered with 200 even once');
    const broken = probes.filter((probe) => statusOf(probe) !== 200);
    return violatedOr(
      broken.slice(0, 1).map((exchange) => ({
        statement: 'a valid call is answered with 200 every time',
        expected: '200',
        actual: describeAnswer(exchange),
        exchange,
      })),
      () => pass(`answered with 200 in ${probes.length} of ${probes.length} calls at once`),
    );
  },
};

export default check;

/** A call that finds nothing: what keeps its answer by mistake gives it to the next. */
async function callUnknown(
  client: CaseClient,
  { pathParameters }: Operation,
  known: Exchange,
): Promise<void> {
  const name = pathParameters.at(-1);
  const { value = '' } = known.request.values[name ?? ''] ?? {};
  if (name === undefined) return;
  await client.call({
    role: 'witness',
    label: `call with an unknown ${name}`,
    parameters: { [name]: unknownLike(value, client.random(name)) },
  });
}
