import type { CaseClient } from '../../harness/calls/case-client.ts';
import { type ActiveCheck, activeCheck } from '../../harness/checks/check.ts';
import { notTested, pass, unexpected, violated } from '../../harness/checks/outcomes.ts';
import { control, namedSteps, probe, type UnnamedStep, witness } from '../../harness/checks/step.ts';
import { hasStatus, statusOf } from '../../harness/evidence/answer.ts';
import type { CallChanges } from '../../harness/requests/call-spec.ts';
import { swapCase, unknownLike } from '../../harness/requests/mutate-preserving-shape.ts';
import type { StepPlan } from '../../harness/sampling/step-plan.ts';
import { type Act, play } from '../../harness/stories/play.ts';
import { isSafe, type Operation } from '../../spec/operation.ts';
import { companyOf, isPlainRead, validInCrowd } from './crowd.ts';
import { isIssuedEachTime } from './issued-values.ts';

/** What a call changes: it knows the last path parameter, its known and an unknown value, and a connection for several calls. */
type Changes = (
  sources: Readonly<Record<'name' | 'known' | 'unknown', string>> & Required<Pick<CallChanges, 'connection'>>,
  client: CaseClient,
  operation: Operation,
) => CallChanges;

const act = (
  step: UnnamedStep,
  changes: Changes = () => ({}),
): UnnamedStep & Act & { readonly changes: Changes } => ({
  ...step,
  changes,
});
const onShared: Changes = ({ connection }) => ({ connection });
/** Where any good key will do, that of one without the scope. */
const withAnyKey: Changes = (_sources, { keys: { unscoped } }, { auth, scope }) =>
  auth === 'api-key' && scope === undefined && unscoped !== undefined ? { credential: unscoped } : {};
const withParameters: StepPlan = { at: ({ pathParameters }) => pathParameters.length > 0 };

/** The story: one or two calls, and then the others at once. */
const steps = namedSteps({
  before: act(control('valid call', withParameters)),
  unknown: act(
    witness('call with the known value in other letters', withParameters),
    ({ name, known, unknown, connection }) => ({
      label: `call with another ${name}`,
      parameters: { [name]: swapCase(known) === known ? unknown : swapCase(known) },
      connection,
    }),
  ),
  // A public read of no resource meets no wrong values; in place of them, one follows a refusal.
  refused: act(
    witness('call that is refused for its key', { at: isPlainRead }),
    ({ connection }, client) => ({
      operation: client.withRole('initiates-login'),
      credential: client.keys.unscoped ?? client.keys.none,
      placeholders: true,
      connection,
    }),
  ),
  inCrowd: act(probe('valid call in a crowd', { times: validInCrowd }), withAnyKey),
  // What meets a valid call may be taken for it, or the valid call for what it meets; passive checks see the former.
  stranger: act(
    witness('call without credentials in a crowd', { at: ({ auth }) => auth === 'api-key' }),
    (_sources, { keys }) => ({ credential: keys.none }),
  ),
  // A target that keeps a refusal with its connection returns it to the next call on it.
  afterRefused: act(probe('valid call on the connection of a refused one', { at: isPlainRead }), onShared),
  afterMiss: act(probe('valid call on the connection of one that finds nothing', withParameters), onShared),
  unknownInCrowd: act(
    witness('call with an unknown value in a crowd', withParameters),
    ({ name, unknown }) => ({ parameters: { [name]: unknown } }),
  ),
});

export const check: ActiveCheck = activeCheck({
  stage: 'last',
  requirement: 'SURFACE-1',
  title:
    'a valid read is answered every time, also in a crowd with wrong ones and after a read that found nothing',
  applies: (operation) => isSafe(operation) && !isIssuedEachTime(operation),
  weight: () => 'medium',
  steps,
  probe: async (client, operation) => {
    const [name = ''] = operation.pathParameters.slice(-1);
    const known = name === '' ? '' : (await client.knownValue(name)).value;
    const unknown = known === '' ? '' : unknownLike(known, client.random(name));
    const sources = { name, known, unknown, connection: client.openConnection() };
    const { before, unknown: miss, refused, inCrowd, ...others } = steps;
    if (client.plans(before)) await client.call(before);
    const more = Array.from({ length: client.times(inCrowd) - 1 }, () => inCrowd);
    const crowd = [...Object.values(others), ...more].map((act) => ({ ...act, beside: true as const }));
    const story = [miss, refused, inCrowd, ...crowd];
    // On an idle connection, a reset would say nothing.
    await play(
      story.filter((act) => client.plans(act)),
      (act) => client.call(act, { connection: 'fresh', ...act.changes(sources, client, operation) }),
    );
  },
  evaluate: ({ steps: { before, unknown, inCrowd, afterRefused, afterMiss, stranger, unknownInCrowd } }) => {
    const crowd = [...inCrowd, ...stranger, ...unknownInCrowd];
    const company = { crowd, afterRefused, afterMiss };
    // A target may close the connection of a refused call: only a refusal that stays with it says something.
    const stillRefused = [...afterRefused, ...afterMiss].filter((one) => hasStatus(one, 400, 401, 403, 404));
    const sent = [...before, ...inCrowd, ...stillRefused];
    const failed = sent.filter((exchange) => statusOf(exchange) !== 200);
    if (failed.length === sent.length) return notTested('the valid call was not answered with 200 even once');
    // The others meet the same trouble; a fresh connection is not closed for being idle.
    const dropped = [...unknown, ...stranger, ...unknownInCrowd].find(
      ({ failure }) => failure?.kind === 'reset',
    );
    const statement = 'A valid call was not answered with 200 every time';
    const [wrong] = failed;
    if (wrong !== undefined) return violated(unexpected(statement, '200', wrong, companyOf(wrong, company)));
    const beside = 'A call beside valid ones was not answered';
    return dropped === undefined
      ? pass(`answered with 200 in ${inCrowd.length} of ${inCrowd.length} calls at once`)
      : violated(unexpected(beside, 'an answer', dropped, companyOf(dropped, company)));
  },
});
