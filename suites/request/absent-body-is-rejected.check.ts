import { type ActiveCheck, activeCheck } from '../../harness/checks/check.ts';
import { sentBody } from '../../harness/checks/vary-body.ts';
import { parseBody } from '../../harness/evidence/answer.ts';
import { bodySteps, evaluateBodyRefusals, probeBodies } from './refused-bodies.ts';

const steps = bodySteps({ times: 3, strength: 'part' });

export const check: ActiveCheck = activeCheck({
  requirement: 'REQUEST-1',
  title: 'a call without its required body gets 400',
  applies: ({ requestSchema }) => requestSchema !== undefined,
  // A service that takes an absent body for the one before shows it right after a body.
  steps: { ...steps, valid: { ...steps.valid, isOwn: { weight: 'medium' } } },
  probe: (client, steps) =>
    probeBodies(client, steps, (valid) => {
      // Some frameworks merge the query into the body; the call without a body is to be refused anyway.
      const members = textsOf(valid && sentBody(valid));
      const query = new URLSearchParams([...members]).toString();
      // A quick run has no other call, which a firewall refuses that sees a link in a query.
      const withoutLinks = new URLSearchParams(
        members.filter(([, text]) => !text.includes('://')),
      ).toString();
      const empty = { bytes: Buffer.alloc(0), contentType: 'application/json' };
      const form = { ...empty, contentType: 'application/x-www-form-urlencoded' };
      const closing = { connection: 'close' };
      const none = {
        id: 'none',
        label: 'no body on a closing connection',
        body: 'none',
        headers: closing,
      } as const;
      const underJson = { id: 'empty', label: 'no body under application/json', body: empty };
      const headers = { 'transfer-encoding': 'chunked' };
      const noChunks = { id: 'no-chunks', label: 'no chunks under application/json', body: empty, headers };
      return [
        { ...none, query, weight: 'medium' },
        { ...underJson, query: withoutLinks, joined: 'all' },
        { ...noChunks, weight: 'medium' },
        { id: 'form', label: 'no body under the type of a form', body: form, weight: 'medium' },
      ];
    }),
  evaluate: (evidence) => evaluateBodyRefusals(evidence, { subject: () => 'A call without its body' }),
});

/** The members of a body that are texts. */
function textsOf(body: ReturnType<typeof sentBody>): ReadonlyArray<[name: string, text: string]> {
  return Object.entries(parseBody(body) ?? {}).filter(([, value]) => typeof value === 'string');
}
