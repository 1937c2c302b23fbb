import type { ActiveCheck } from '../../harness/checks/check.ts';
import { inconclusive, pass, violatedOr } from '../../harness/checks/outcomes.ts';
import { describeAnswer, statusOf } from '../../harness/evidence/answer.ts';
import { sentValues } from '../../harness/evidence/sent-values.ts';
import type { Violation } from '../../harness/model/evaluation.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import { hasOpenShape, isPlainSlug, unknownLike } from '../../harness/requests/mutate-preserving-shape.ts';
import type { Operation } from '../../spec/contract.ts';

/** Ids that are tried for each parameter: one alone may happen to be malformed, or to exist. */
const unknownIds = 3;

const check: ActiveCheck = {
  kind: 'active',
  requirement: 'RESOURCE-1',
  title: 'an unknown resource is answered 404',
  applies: ({ pathParameters }) => pathParameters.length > 0,
  needs: () => ['valid-call'],
  requests: ({ pathParameters }) => 1 + unknownIds * pathParameters.length,
  probe: async (client, operation) => {
    const control = await client.call({ role: 'control', label: 'valid call with known values' });
    const values = sentValues(control);
    for (const name of operation.pathParameters) {
      const known = values[name] ?? '';
      const random = client.random(name);
      for (let at = 1; at <= unknownIds; at += 1) {
        await client.call({
          role: 'probe',
          label: `unknown ${name} ${at}`,
          parameters: { ...values, [name]: unknownLike(known, random) },
        });
      }
    }
  },
  evaluate: ({ operation, exchanges }) => {
    const known = exchanges.find((exchange) => exchange.role === 'control');
    const probes = exchanges.filter(({ role }) => role === 'probe');
    if (known === undefined || probes.length === 0)
      return inconclusive('no call with an unknown value was made');
    if (statusOf(known) !== 200) {
      return inconclusive(`the call with known values was answered ${describeAnswer(known)} as well`);
    }
    const violations: Violation[] = [];
    let notTested = 0;
    for (const name of operation.pathParameters) {
      const mine = probes.filter(({ label }) => label.startsWith(`unknown ${name} `));
      const wrong = mine.filter((probe) => ![400, 404].includes(statusOf(probe) ?? 0));
      if (wrong.length > 0)
        violations.push(...wrong.slice(0, 1).map((probe) => violation(operation, name, probe)));
      else if (!mine.some((probe) => statusOf(probe) === 404)) {
        // 400 is lawful for a malformed id; only where every id of this shape is well-formed is it wrong.
        const [probe] = mine;
        if (probe !== undefined && isWellFormed(known, probe, name)) {
          violations.push(violation(operation, name, probe));
        } else notTested += 1;
      }
    }
    return violatedOr(violations, () =>
      notTested > 0
        ? inconclusive('every unknown id was answered 400, which is lawful where it is malformed')
        : pass(`404 for what does not exist, in ${probes.length} calls`),
    );
  },
};

export default check;

/** Certainly well-formed: of open shape, and as long as the known one, for ids may have a length or a range. */
function isWellFormed(known: Exchange, probe: Exchange, name: string): boolean {
  const [model = '', sent = ''] = [known, probe].map(({ request }) => request.values[name]?.value);
  if (model.length !== sent.length || !hasOpenShape(model)) return false;
  // An id that the service makes up itself may be signed, in lower-case letters too.
  return name !== 'sessionId' || !isPlainSlug(model);
}

function violation(operation: Operation, name: string, exchange: Exchange): Violation {
  return {
    statement: `an unknown ${name} is not found`,
    expected: '404',
    actual: describeAnswer(exchange),
    exchange,
    ...(isBelowStore(operation) ? { clause: 'below-unknown-store' } : {}),
  };
}

/** Collections and settings of a store may lawfully be empty or default for a store that does not exist. */
function isBelowStore(operation: Operation): boolean {
  const [parameter] = operation.pathParameters;
  if (operation.auth !== 'none' || operation.pathParameters.length !== 1 || parameter === undefined)
    return false;
  const after = operation.path.slice(operation.path.indexOf(`{${parameter}}`) + parameter.length + 2);
  return after !== '' || operation.path.includes('/storefront-decorations/');
}
