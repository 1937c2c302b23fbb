import { attemptControl } from '../../harness/checks/attempt-control.ts';
import type { ActiveCheck } from '../../harness/checks/check.ts';
import { pass, violatedOr } from '../../harness/checks/outcomes.ts';
import { evaluateRefusals } from '../../harness/checks/refusal.ts';
import { statusOf } from '../../harness/evidence/answer.ts';
import type { Violation } from '../../harness/model/evaluation.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import { mayBeMalformed } from '../../harness/requests/unusual-keys.ts';

/** Label of the values that the seed draws: which these are stands in their credentials. */
const drawn = 'an odd value in place of a key';

const check: ActiveCheck = {
  kind: 'active',
  last: true,
  requirement: 'AUTH-3',
  title: 'a key that is not a key is answered 401: unknown, empty, malformed, and near misses of a good one',
  applies: (operation) => operation.auth === 'api-key',
  needs: () => ['scoped-key', 'valid-call'],
  requests: (_operation, fuzzRuns) => 12 + Math.ceil(fuzzRuns / 2),
  probe: async (client, operation) => {
    const missing = await attemptControl(client, { label: 'valid call with the key' });
    for (const credential of client.keys.invalid.filter(({ description }) => client.wants(description))) {
      await client.call({ role: 'probe', label: credential.description, credential, placeholders: true });
    }
    const operations = client.operations.filter(({ auth }) => auth === 'api-key');
    const nth = operations.findIndex(({ id }) => id === operation.id);
    const odd = client.wants(drawn) ? client.keys.odd(nth, Math.ceil(client.fuzzRuns / 2)) : [];
    for (const credential of odd) {
      await client.call({ role: 'probe', label: drawn, credential, placeholders: true });
    }
    if (missing !== undefined) throw missing;
  },
  evaluate: ({ exchanges }) => {
    const fixed = evaluateRefusals(
      exchanges.filter(({ label }) => label !== drawn),
      { status: 401, namesProbes: true, statement: () => 'what is not a good key is refused' },
    );
    const odd = unusualViolations(exchanges);
    if (fixed.outcome !== 'violated') {
      const drawnOnes = exchanges.filter(({ label }) => label === drawn).length;
      return violatedOr(odd, () =>
        fixed.outcome === 'pass' && drawnOnes > 0
          ? pass(`${fixed.message}, and ${drawnOnes} odd values as they may be`)
          : fixed,
      );
    }
    const told = new Set(fixed.violations.map(({ actual }) => actual));
    return violatedOr([...fixed.violations, ...odd.filter(({ actual }) => !told.has(actual))], () => fixed);
  },
};

export default check;

/** One violation for each kind of answer: which values were drawn changes from seed to seed. */
function unusualViolations(exchanges: readonly Exchange[]): readonly Violation[] {
  const evaluated = exchanges.filter(
    (exchange) =>
      exchange.role === 'control' ||
      (exchange.label === drawn &&
        !(statusOf(exchange) === 400 && mayBeMalformed.has(exchange.request.credential.description))),
  );
  const evaluation = evaluateRefusals(evaluated, { status: 401, statement: () => `${drawn} is refused` });
  if (evaluation.outcome !== 'violated') return [];
  const byAnswer = new Map<string, Violation>();
  for (const violation of evaluation.violations) {
    const { actual, exchange } = violation;
    if (!byAnswer.has(actual))
      byAnswer.set(actual, { ...violation, detail: exchange.request.credential.description });
  }
  return [...byAnswer.values()];
}
