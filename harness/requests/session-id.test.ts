import { describe, expect, it } from 'vitest';
import { likelySessionId } from './session-id.ts';

describe('likelySessionId', () => {
  it.each([
    ['by its full name', { sessionId: 'a' }, 'a'],
    ['in snake case', { session_id: 'a' }, 'a'],
    ['with its product', { checkoutSessionId: 'a' }, 'a'],
    ['in snake case with its product', { hosted_checkout_session_id: 'a' }, 'a'],
    ['as the id of a checkout', { checkoutId: 'a' }, 'a'],
    ['as a plain id', { id: 'a' }, 'a'],
    ['in capitals', { ID: 'a' }, 'a'],
    ['as a token', { checkoutToken: 'a' }, 'a'],
    ['as a reference', { session_ref: 'a' }, 'a'],
    ['as a UUID', { uuid: 'a' }, 'a'],
    ['as a number', { id: 1001 }, '1001'],
    ['as zero', { id: 0 }, '0'],
    ['below an envelope', { data: { id: 'a' } }, 'a'],
    ['in a list', [{ id: 'a' }], 'a'],
    ['by its full name before a plain id', { id: 'order', sessionId: 'a' }, 'a'],
    ['by its full name, however deep', { id: 'x', a: { b: { c: { sessionId: 'a' } } } }, 'a'],
    ['outermost first', { items: [{ id: 'inner' }], id: 'outer' }, 'outer'],
    [
      'in a link to it',
      { href: 'https://shop.example/api/v1/open/hosted/checkout/sessions/cs_1?x=y' },
      'cs_1',
    ],
    ['in a link to its cancellation', { cancel: '/checkout/sessions/cs_1/cancel' }, 'cs_1'],
    ['encoded in a link', { href: '/checkout/sessions/cs%2F1#top' }, 'cs/1'],
    ['in the second of two links', { docs: 'https://docs.example', self: '/checkout/sessions/a' }, 'a'],
  ])('is found %s', (_how, body, expected) => {
    expect(likelySessionId(body)).toBe(expected);
  });

  it.each([
    ['nothing', undefined],
    ['null', null],
    ['a text', 'cs_1'],
    ['an empty object', {}],
    ['other names only', { handle: 'a', merchant: 'b', total: 3 }],
    ['an id that is an object', { id: { value: true } }],
    ['an id that is null', { id: null }],
    ['a name that only contains one', { idempotencyKey: 'a', paid: 'b', video: 'c' }],
    ['something too deep', { a: { b: { c: { d: { e: { sessionId: 'x' } } } } } }],
    ['the listing of all sessions', { href: '/checkout/sessions' }],
  ])('is not found in %s', (_what, body) => {
    expect(likelySessionId(body)).toBeUndefined();
  });

  it('bears any depth', () => {
    expect(likelySessionId(JSON.parse(`${'['.repeat(50_000)}${']'.repeat(50_000)}`))).toBeUndefined();
  });

  it('bears a link that cannot be decoded', () => {
    expect(likelySessionId({ href: '/checkout/sessions/100%' })).not.toBe('');
  });

  it.each(['/checkout/sessions/{sessionId}', '/checkout/sessions/:id', '/checkout/sessions/%7BsessionId%7D'])(
    'does not take the template %s for a link',
    (href) => {
      expect(likelySessionId({ _links: { session: { href, templated: true } } })).toBeUndefined();
    },
  );

  it('takes the id of the session, not that of something else beside it', () => {
    expect(likelySessionId({ merchant: { id: 'm-1' }, session: { id: 'cs_1' } })).toBe('cs_1');
  });
});
