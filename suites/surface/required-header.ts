import type { CaseClient } from '../../harness/calls/case-client.ts';
import { errorTexts } from '../../harness/checks/error-text.ts';
import { unexpected } from '../../harness/checks/outcomes.ts';
import type { Step } from '../../harness/checks/step.ts';
import { hasStatus, isOk } from '../../harness/evidence/answer.ts';
import type { Violation } from '../../harness/model/evaluation.ts';
import type { Exchange } from '../../harness/model/exchange.ts';

/** Names in a response that are tried as headers. */
const mostNames = 3;
/** Words joined by hyphens: what names a header, and seldom stands in a sentence. */
const nameOfHeader = /\b[A-Za-z][A-Za-z0-9]*(?:-[A-Za-z0-9]+)+\b/g;

/** The header that a step added to a valid call. */
const headerRow = 'required header';

/** Repeats a refused valid call with each header that the response names, until one is accepted. */
export async function addNamedHeaders(client: CaseClient, step: Step, refused: Exchange): Promise<void> {
  if (!hasStatus(refused, 400, 412, 428)) return;
  const sent = new Set(refused.request.headers.map(([name]) => name));
  const named = (errorTexts(refused) ?? []).flatMap((text) => text.match(nameOfHeader) ?? []);
  const names = [...new Set(named.map((name) => name.toLowerCase()))].filter((name) => !sent.has(name));
  for (const name of names.slice(0, mostNames)) {
    const value = /version/.test(name) ? '1.0.0' : String(await client.fill('{unique}'));
    const label = `valid call with the header ${name}`;
    const answer = await client.call(step, { label, row: { [headerRow]: name }, headers: { [name]: value } });
    if (isOk(answer)) return;
  }
}

/** The violation where a valid call is accepted only with a header that the contract does not declare. */
export function requiredHeader(exchange: Exchange, withHeader: readonly Exchange[]): readonly Violation[] {
  const accepted = withHeader.find(isOk);
  if (accepted === undefined) return [];
  const name = String(accepted.row?.[headerRow]);
  return [
    unexpected(`A header that the contract does not declare is required: ${name}`, '200', exchange, {
      kind: `header ${name}`,
      fix: `Make the header ${name} optional. The contract declares no header parameters, so its clients do not send it.`,
      relatedExchanges: [accepted],
    }),
  ];
}
