import type { CaseClient } from '../../harness/calls/case-client.ts';
import { type ActiveCheck, activeCheck } from '../../harness/checks/check.ts';
import { inconclusive, notApplicable, notTested, pass, violatedOr } from '../../harness/checks/outcomes.ts';
import { control, namedSteps, probe, type Step, witness } from '../../harness/checks/step.ts';
import { isOk, statusOf } from '../../harness/evidence/answer.ts';
import { sentValues } from '../../harness/evidence/sent-values.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import { jsonBody } from '../../harness/requests/call-spec.ts';
import { unlessInconclusive } from '../../harness/requests/inconclusive-error.ts';
import { unknownLike } from '../../harness/requests/mutate-preserving-shape.ts';
import { labelOf, together, type Variation } from '../../harness/requests/variation.ts';
import { isSafe, type Operation } from '../../spec/operation.ts';
import { elsewhereViolation, isBesideThePath, isReplaced, synonymsOf, waysElsewhere } from './elsewhere.ts';

const times = ({ pathParameters }: Operation): number => pathParameters.length;

const steps = namedSteps({
  valid: control('valid call with known values'),
  standIn: probe('an unknown value in the path, and the known one elsewhere', { times }),
  bare: witness('an unknown value in the path', { followUp: true }),
  beside: probe('the known value in the path, and another one elsewhere', { at: isSafe, times }),
});

export const check: ActiveCheck = activeCheck({
  requirement: 'RESOURCE-1',
  title:
    'only the path selects the resource, not the query, the body, a cookie, a header or a parameter of the path segment',
  applies: ({ pathParameters }) => pathParameters.length > 0,
  weight: () => 'medium',
  steps,
  probe: async (client, _steps, operation) => {
    const valid = await client.call(steps.valid);
    if (!isOk(valid)) return;
    for (const name of operation.pathParameters) await probeParameter(client, name, valid);
  },
  evaluate: ({ operation, steps: { valid, standIn, bare, beside } }) => {
    const [known] = valid;
    if (known === undefined || !isOk(known)) return inconclusive('the valid call was not answered with 200');
    const found = operation.pathParameters.flatMap((name) => {
      const isOf = ({ row = {} }: Exchange): boolean => name in row;
      const isUnknown = bare.some((one) => isOf(one) && !isOk(one));
      const accepted = standIn.filter((one) => isUnknown && isOf(one) && isOk(one));
      const replaced = beside.filter((one) => isOf(one) && isReplaced(name, operation, known, one));
      return [...accepted.slice(-1), ...replaced.slice(-1)].map((exchange) =>
        elsewhereViolation(
          name,
          exchange,
          accepted.includes(exchange) ? '404' : 'the resource that the path names',
        ),
      );
    });
    return violatedOr(found, () => {
      const sent = [...standIn, ...beside];
      // What fails to answer selects nothing.
      const answered = sent.filter((one) => (statusOf(one) ?? 500) < 500);
      const telling = answered.filter((one) => beside.includes(one) || !isOk(one));
      if (telling.length > 0) return pass(`the path alone selected the resource in ${telling.length} calls`);
      return answered.length < sent.length
        ? notTested('no call with another value elsewhere was answered')
        : notApplicable('unknown values are answered 200 anyway');
    });
  },
});

/** Names a value elsewhere than in the path, and another one there; where that counts, finds the fewest places that do. */
async function probeParameter(client: CaseClient, name: string, valid: Exchange): Promise<void> {
  const operation = client.caseOperation;
  const { [name]: sent = '', ...parameters } = sentValues(valid);
  const isRead = isSafe(operation);
  // What a refused call names is not used up, and may be what other refused calls name.
  const known = isRead ? sent : (await client.forRefusal(() => client.knownValue(name))).value;
  const unknown = unknownLike(known, client.random(name));
  const body = operation.requestSchema && jsonBody(await client.forRefusal(() => client.validBody()));
  const find = async (step: Step, inPath: string, ways: readonly Variation[]): Promise<void> => {
    const isWrong = async (some: readonly Variation[]): Promise<boolean> => {
      const label = `${step.label} ${labelOf(some)}`;
      const rawParameters = { [name]: encodeURIComponent(inPath) };
      const row = { [name]: 'elsewhere' };
      const changes = together(some, { label, row, parameters, rawParameters, ...(body && { body }) });
      // Waiting makes no unknown value known.
      const delay = step === steps.standIn ? { propagationDelayMs: 0 } : {};
      const one = await client.call(step, { ...changes, ...delay });
      return step === steps.beside ? isReplaced(name, operation, valid, one) : isOk(one);
    };
    if (!(await isWrong(ways))) return;
    const changes = { parameters: { ...parameters, [name]: unknown }, row: { [name]: 'unknown' } };
    if (statusOf(await client.call(steps.bare, changes)) !== 200) await client.fewest(ways, isWrong);
  };
  const named = { name, synonyms: synonymsOf(name, operation, client.operations) };
  const standIn = { ...named, inPath: unknown, elsewhere: known };
  await find(steps.standIn, unknown, waysElsewhere(standIn));
  if (!isRead) return;
  // An unknown session might be looked up in vain, and the one of the path then be found.
  const isIssued = operation.takesIssued?.includes(name) === true;
  const issued = isIssued ? await unlessInconclusive(() => client.capture(name)) : undefined;
  const elsewhere = String(issued ?? unknown);
  const beside = waysElsewhere({ ...named, inPath: known, elsewhere }).filter(isBesideThePath);
  if (elsewhere !== known) await find(steps.beside, known, beside);
}
