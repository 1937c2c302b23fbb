import { expect, it } from 'vitest';
import { example } from '../../suites/examples-for-tests.ts';
import type { Exchange } from '../model/exchange.ts';
import type { ExampleParts } from './example-exchange.ts';
import { refusedBodyIn } from './refused-body.ts';

function sent(status: number, parts: ExampleParts = {}): Exchange {
  const body = '{"code":"invalid","message":"The member scope is missing.","requestId":"req-1"}';
  return example(`${status}`, { operation: 'createIt', role: 'control', body, sent: '{"a":1}', ...parts });
}

it('quotes what the service says in sentences, and names the line to correct', () => {
  expect(refusedBodyIn([sent(400)])).toEqual({
    reason: 'the service refused your body of createIt with 400: "The member scope is missing."',
    remedy:
      'bodies: { createIt: { … } } # in place of the body that the service refused with 400: "The member scope is missing."',
  });
});

it('is about a body that another case needs as well', () => {
  expect(refusedBodyIn([sent(400, { role: 'setup' })])?.reason).toContain('createIt with 400');
});

it('takes a conflict for one of the body only where the path names nothing', () => {
  expect(refusedBodyIn([sent(409)])?.remedy).toContain('"{unique}"');
  const values = { sessionId: { value: 'x', source: 'captured' } } as const;
  expect(refusedBodyIn([sent(409, { values })])).toBeUndefined();
  expect(refusedBodyIn([sent(400, { values })])).toBeDefined();
});

it('asks for no value of its own where the refused bodies differ already', () => {
  const other = example('409', { operation: 'createIt', role: 'control', sent: '{"a":2}' });
  expect(refusedBodyIn([sent(409), other])?.remedy).not.toContain('{unique}');
});

it('does not blame a body that was accepted before, nor one that a check has changed', () => {
  expect(refusedBodyIn([sent(200), sent(400)])).toBeUndefined();
  expect(refusedBodyIn([sent(400, { role: 'probe' })])).toBeUndefined();
  expect(refusedBodyIn([sent(500)])).toBeUndefined();
});

it('looks at what another call has just issued, where the body names it', () => {
  const issued = (value: string): Exchange =>
    sent(200, { role: 'setup', operation: 'issueIt', body: `{"state":"${value}"}` });
  const named = example('409', { operation: 'createIt', role: 'control', sent: '{"state":"st-12345678"}' });
  expect(refusedBodyIn([issued('st-12345678'), named])?.remedy).toContain('what issueIt has just issued');
  expect(refusedBodyIn([issued('st-87654321'), named])?.remedy).not.toContain('issued');
});
