import type { Report, RootCause } from '../../harness/model/report.ts';
import type { Front } from './stacks-for-tests.ts';
import type { Behind } from './test-stack-for-tests.ts';

/** Share of requests that a limiter may refuse after the first minute. */
const mostRefused = 0.1;

/** What is wrong about a report on a service that conforms by itself; empty where the report is fair. */
export function objectionsTo(
  { verdict, rootCauses: all = [], summary, traffic }: Report,
  behind: Behind | undefined,
  fromInit: boolean,
): readonly string[] {
  const problems: string[] = [];
  const rootCauses = all.filter(({ subject }) => !fromInit || subject !== 'OpenAPI document');
  const isClean = behind === undefined || behind.setting === 'recommended';
  const isOpen = fromInit && verdict === 'incomplete';
  if (isClean && verdict !== 'conformant' && !isOpen) problems.push(`the verdict is ${verdict}`);
  if (summary.inconclusive > 0 && !fromInit) problems.push(`${summary.inconclusive} cases were not tested`);
  const most = isClean ? 0 : behind.front.mostRootCauses;
  if (rootCauses.length > most) problems.push(`${rootCauses.length} root causes, at most ${most} expected`);
  for (const { headline } of rootCauses.filter((one) => !namesFront(one, behind?.front)))
    problems.push(`not attributed to the front: ${headline}`);
  const refused = refusedAfter(traffic, 60_000);
  if (refused > mostRefused)
    problems.push(`${Math.round(refused * 100)} % of requests refused after a minute`);
  return problems;
}

/** The service itself may answer what the front has changed; the fix names the front then. */
function namesFront({ answeredBy, fix }: RootCause, front: Front | undefined): boolean {
  const named = (name: string): boolean =>
    answeredBy === undefined ? fix.includes(`${name}:`) : answeredBy.name === name;
  return front?.responders.some(named) === true;
}

/** Share of requests that were refused with 429 or 5xx later than so many milliseconds after the start. */
function refusedAfter({ timeline }: Report['traffic'], ms: number): number {
  const late = (timeline?.buckets ?? []).slice(Math.ceil(ms / (timeline?.bucketMs ?? ms)));
  const total = late.reduce((sum, { requests }) => sum + requests, 0);
  const refused = late.reduce((sum, { throttled, unanswered }) => sum + throttled + unanswered, 0);
  return total === 0 ? 0 : refused / total;
}
