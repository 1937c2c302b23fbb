import type { ActiveCheck } from '../../harness/checks/check.ts';
import { sentBody } from '../../harness/checks/vary-body.ts';
import { parseBody } from '../../harness/evidence/answer.ts';
import { refusedBodies } from './refused-bodies.ts';

const empty = { bytes: Buffer.alloc(0), contentType: 'application/json' };

export const check: ActiveCheck = refusedBodies({
  requirement: 'REQUEST-1',
  title: 'a call without its required body gets 400',
  subject: 'A call without its body',
  planned: { times: 3, strength: 'part' },
  // A service that takes an absent body for the one before shows it right after a body.
  valid: { isOwn: { weight: 'medium' } },
  bodiesFor: (_client, valid) => {
    // Some frameworks merge the query into the body; the call without a body is to be refused anyway.
    const members = Object.entries(parseBody(valid && sentBody(valid)) ?? {}).filter(
      ([, value]) => typeof value === 'string',
    );
    // A quick run has no other call, which a firewall refuses that sees a link in a query.
    const withoutLinks = members.filter(([, text]) => !text.includes('://'));
    const query = String(new URLSearchParams(members));
    const shorter = String(new URLSearchParams(withoutLinks));
    const form = { ...empty, contentType: 'application/x-www-form-urlencoded' };
    const chunked = { 'transfer-encoding': 'chunked' };
    const none = { id: 'none', label: 'no body on a closing connection', body: 'none' } as const;
    const noChunks = { id: 'no-chunks', label: 'no chunks under application/json', body: empty };
    return [
      { ...none, query, headers: { connection: 'close' }, weight: 'medium' },
      { id: 'empty', label: 'no body under application/json', body: empty, query: shorter, joined: 'all' },
      { ...noChunks, headers: chunked, weight: 'medium' },
      { id: 'form', label: 'no body under the type of a form', body: form, weight: 'medium' },
    ];
  },
});
