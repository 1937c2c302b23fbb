import type { ActiveCheck } from '../../harness/checks/check.ts';
import { inconclusive, pass, violatedOr } from '../../harness/checks/outcomes.ts';
import { sentBody } from '../../harness/checks/vary-body.ts';
import { describeAnswer, statusOf } from '../../harness/evidence/answer.ts';
import { sentValues } from '../../harness/evidence/sent-values.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import { type CallSpec, jsonBody } from '../../harness/requests/call-spec.ts';
import type { CaseClient } from '../../harness/requests/case-client.ts';
import { callSomethingElse, callsBetween, isIssuedEachTime, isUnknown } from './issued-values.ts';

/** Calls of a round: more than one of which a part of the target cannot answer. */
const calls = 7;
/**
 * Milliseconds before the calls of each round. There is another round only where something was not known in the one
 * before: the parts of a target may need a moment until all of them know it.
 */
const rounds = [0, 1_500, 3_000];
const lastRound = roundLabel(rounds.length);
/** Reads that find out whether a session is still there. */
const lookingReads = 8;
const looking = 'is the session still there?';

const check: ActiveCheck = {
  kind: 'active',
  last: true,
  requirement: 'SURFACE-1',
  title: 'a session or login that was issued is known to the operation that takes it, every time',
  applies: isIssuedEachTime,
  needs: () => ['valid-call'],
  requests: ({ method }) => 1 + rounds.length * calls + (method === 'GET' ? lookingReads : 9 * rounds.length),
  alone: ({ method }) => method === 'POST',
  probe: async (client, { method }) => {
    const first = await client.call({ role: 'control', label: 'valid call' });
    if (statusOf(first) !== 200 && !(method === 'POST' && isUnknown(first))) return;
    const repeat = method === 'GET' ? readAtOnce : consumeInTurn;
    for (const [at, propagationDelayMs] of rounds.entries()) {
      const spec: CallSpec = {
        role: 'probe',
        label: roundLabel(at + 1),
        propagationDelayMs,
        connection: 'fresh',
      };
      const answers = await repeat(client, spec, first);
      if (!answers.some(isUnknown)) return;
    }
    if (method === 'GET') await look(client, first);
  },
  evaluate: ({ operation, exchanges }) => {
    const probes = exchanges.filter(({ role }) => role === 'probe');
    if (probes.length === 0) return inconclusive('the valid call was not answered with 200');
    const taken = exchanges.filter(({ role }) => role === 'control' || role === 'probe');
    const lost = taken.filter(
      (one, at) =>
        one.label === probes.at(-1)?.label && isUnknown(one) && !mayBeSpent(one, taken.slice(0, at)),
    );
    const isLasting = exchanges.some(
      (one) => statusOf(one) === 200 && one.label === (operation.method === 'GET' ? looking : lastRound),
    );
    const broken = probes.filter((one) => ![200, 400, 404, 409].includes(statusOf(one) ?? 0));
    const isFlapping = isLasting && lost[0]?.label === lastRound;
    return violatedOr(
      [...broken, ...(isFlapping ? lost : [])].slice(0, 1).map((exchange) => ({
        statement: 'what was issued is known every time',
        expected: '200 every time',
        actual: broken.includes(exchange)
          ? describeAnswer(exchange)
          : `${describeAnswer(exchange)} to some calls and 200 to others, seconds after it was issued`,
        exchange,
      })),
      () => {
        const [first] = lost;
        if (first === undefined) return pass(`known in the end, in ${probes.length} calls`);
        const reason = `what was issued was answered ${describeAnswer(first)}, and not known again afterwards`;
        return { ...inconclusive(reason), transient: true };
      },
    );
  },
};

export default check;

function roundLabel(round: number): string {
  return round === 1 ? 'valid call once more' : `valid call once more, in round ${round}`;
}

async function readAtOnce(client: CaseClient, spec: CallSpec, first: Exchange): Promise<readonly Exchange[]> {
  await client.pause(spec.propagationDelayMs ?? 0);
  const parameters = sentValues(first);
  return Promise.all(Array.from({ length: calls }, () => client.call({ ...spec, parameters })));
}

/** Each takes a login of its own. */
async function consumeInTurn(client: CaseClient, spec: CallSpec): Promise<readonly Exchange[]> {
  const answers: Exchange[] = [];
  while (answers.length < calls && !isTelling(answers)) {
    const body = jsonBody(await client.validBody());
    await client.pause(spec.propagationDelayMs ?? 0);
    await callSomethingElse(client, callsBetween[answers.length % callsBetween.length] ?? 0);
    answers.push(await client.call({ ...spec, body }));
  }
  return answers;
}

/** Of slow rounds as many calls as show that some logins are known and some are not. */
function isTelling(answers: readonly Exchange[]): boolean {
  return answers.some(isUnknown) && answers.some((answer) => statusOf(answer) === 200);
}

async function look(client: CaseClient, first: Exchange): Promise<void> {
  for (let reads = 1; reads <= lookingReads; reads += 1) {
    const answer = await client.call({ role: 'witness', label: looking, parameters: sentValues(first) });
    if (statusOf(answer) === 200) return;
  }
}

/** Whether the same body was answered 200 before; of a body that was not recorded as it was sent that is not known. */
function mayBeSpent(exchange: Exchange, before: readonly Exchange[]): boolean {
  if (exchange.request.body === undefined) return false;
  const sent = sentBody(exchange);
  return (
    sent === undefined || before.some((one) => statusOf(one) === 200 && sentBody(one)?.text === sent.text)
  );
}
