import { expect, it, test } from 'vitest';
import { saidOf } from '../checks/error-text.ts';
import { exampleExchange } from '../checks/example-exchange.ts';
import { putInCaptures } from './find-bodies.ts';

it.each([
  [
    { error: 'invalid', fields: { merchant: ['This field is required.'] } },
    ['merchant: This field is required.', 'invalid'],
  ],
  [
    { errors: [{ code: 'missing', message: 'items must not be empty' }] },
    ['items must not be empty', 'missing'],
  ],
  [
    { type: 'https://shop.example/problems/1', title: 'Bad Request', detail: 'q is missing', requestId: 'r' },
    ['q is missing', 'Bad Request'],
  ],
])('names the fields under which an error is told: %j', (body, texts) => {
  const exchange = exampleExchange({ status: 400, body: JSON.stringify(body) });
  expect(saidOf(exchange, body)).toEqual(texts);
});

it('takes the whole text of an error that is not JSON', () => {
  const exchange = exampleExchange({ status: 400, body: 'Not a valid body' });
  expect(saidOf(exchange, undefined)).toEqual(['Not a valid body']);
});

const nobody = (): boolean => false;

test('takes from the answer what has the same name there, the outermost first', () => {
  const answer = { data: { login_state: 'issued', deep: { login_state: 'other' } } };
  expect(
    putInCaptures({ loginState: 'x', code: 'c', nested: [{ loginState: 'y' }] }, 'initiate', answer, nobody),
  ).toEqual({
    now: { loginState: 'issued', code: 'c', nested: [{ loginState: 'issued' }] },
    body: { loginState: '{loginLoginState}', code: 'c', nested: [{ loginState: '{loginLoginState}' }] },
    captures: { loginLoginState: { from: 'initiate', pointer: '/data/login_state' } },
  });
});

test('escapes what a pointer has to escape', () => {
  expect(putInCaptures({ s: 'x' }, 'initiate', { 'a/b~c': { s: 'y' } }, nobody)?.captures).toEqual({
    loginS: { from: 'initiate', pointer: '/a~1b~0c/s' },
  });
});

test.each([
  ['nothing has the same name', { other: 'x' }, { state: 'y' }],
  ['the value is no text', { state: 'x' }, { state: 7 }],
  ['the name is none for a placeholder', { 'st ate': 'x' }, { 'st ate': 'y' }],
  ['there is no answer', { state: 'x' }, undefined],
])('is undefined where %s', (_, body, answer) => {
  expect(putInCaptures(body, 'initiate', answer, nobody)).toBeUndefined();
});

test('leaves alone a name that the user gave to something else', () => {
  expect(
    putInCaptures({ state: 'x' }, 'initiate', { state: 'y' }, (name) => name === 'loginState'),
  ).toBeUndefined();
});
