import { exampleOperation } from '../../harness/checks/example-exchange.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import { type Examples, example } from '../examples-for-tests.ts';

const operation = exampleOperation({ id: 'readsIdentity' });
const identity = { keyId: 'key_1', installation: 'nord', grants: ['catalog:read'], name: 'shop' };
const success = example('200', { operation: operation.id, json: identity });
const error = { error: { code: 'unauthorized', message: 'No.', name: 'Error' } };
const usual = example('404 none', { operation: 'readsPublic', json: error });
const refused = (text: string, words = '401 none'): Exchange =>
  example(words, { operation: operation.id, body: text });
const before = [success, usual];

export const examples: Examples = {
  operation,
  applicable: new Set([operation.id]),
  passes: {
    'an error as everywhere': [...before, refused(JSON.stringify(error))],
    'an error in the envelope of all responses, beside a page for public reads': [
      example('200', {
        operation: operation.id,
        json: { ok: true, meta: {}, trace: '', data: { keyId: 1, label: 'shop', grants: [] } },
      }),
      example('404 none', { operation: 'readsPublic', body: '<h1>Not found</h1>' }),
      example('404', { operation: 'readsProduct', json: { ok: false, meta: {}, trace: '', data: null } }),
      refused('{ "ok": false, "meta": {}, "trace": "", "data": null }'),
    ],
    'an error that names a grant and the installation': [
      ...before,
      refused('{ "code": 401, "installation": "nord", "grants": [] }'),
    ],
  },
  violates: {
    'the result under the status of a refusal': [...before, refused(JSON.stringify(identity))],
    'a refusal and the result after it': [
      ...before,
      refused(`${JSON.stringify(error)}${JSON.stringify(identity)}`, '401 invalid'),
    ],
    'the result within a throttled response': [
      ...before,
      refused(JSON.stringify({ ...error, queued: identity }), '429 invalid'),
    ],
    'the result as a text within the message': [
      ...before,
      refused(
        JSON.stringify({ error: { ...error.error, message: `Not for you: ${JSON.stringify(identity)}` } }),
      ),
    ],
    'the values of the result, without their names': [
      example('200', {
        operation: operation.id,
        json: { id: 'key_123', owner: 'atelier', token: 'tok_999' },
      }),
      usual,
      refused('<e><i>key_123</i><o>atelier</o><t>tok_999</t></e>', '403 invalid'),
    ],
    'the result within a page': [
      ...before,
      refused(`<script>${JSON.stringify(identity)}</script>`, '403 none'),
    ],
  },
  notApplicable: {
    'a wrong request, member by member': [...before, refused(JSON.stringify(identity), '400 none')],
    'no other error': [success, refused(JSON.stringify(identity))],
    'a success of few members': [
      usual,
      example('200', { operation: operation.id, json: { id: 1, name: 'shop' } }),
      refused(JSON.stringify(error)),
    ],
  },
};
