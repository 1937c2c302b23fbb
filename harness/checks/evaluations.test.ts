import { describe, expect, it } from 'vitest';
import { refusedBodies } from '../../suites/request/refused-bodies.ts';
import { changedLeaves, isMoment, leavesOf, mentions, readsSame } from '../evidence/json-leaves.ts';
import { SecretRegister } from '../evidence/secret-register.ts';
import { recordBody } from '../http/record-answer.ts';
import type { Exchange } from '../model/exchange.ts';
import { errorTexts } from './error-text.ts';
import { exampleExchange, exampleOperation } from './example-exchange.ts';
import { jsonFault } from './json-fault.ts';
import { inconclusive, pass, violatedOr } from './outcomes.ts';
import { wrongAnswers } from './wrong-answers.ts';

describe('violatedOr', () => {
  it('is what is otherwise said only where nothing is violated', () => {
    expect(violatedOr([], () => pass('held'))).toEqual({ outcome: 'pass', message: 'held' });
    const violation = { statement: 's', expected: 'e', actual: 'a', exchange: exampleExchange({}) };
    expect(violatedOr([violation], () => expect.fail('asked'))).toEqual({
      outcome: 'violated',
      violations: [violation],
    });
    expect(inconclusive('why')).not.toHaveProperty('remedy');
  });
});

describe('jsonFault', () => {
  it.each([
    ['no answer', {}, 'no answer'],
    ['an object', { status: 200 }, undefined],
    ['a bare value', { status: 200, body: '1' }, undefined],
    ['nothing', { status: 200, body: '' }, 'an empty body'],
    ['HTML', { status: 200, body: '<html>', contentType: 'text/html' }, 'a body that is not JSON'],
    ['no media type', { status: 200, contentType: null }, 'JSON without a media type'],
    [
      'another media type',
      { status: 200, contentType: 'Text/HTML; charset=utf-8' },
      'JSON under the media type Text/HTML',
    ],
    ['a problem', { status: 400, contentType: 'application/problem+json' }, undefined],
    [
      'a media type with parameters',
      { status: 200, contentType: 'application/json ; charset=UTF-8' },
      undefined,
    ],
  ])('of %s', (_what, parts, fault) => {
    expect(jsonFault(exampleExchange(parts))).toBe(fault);
  });
});

describe('wrongAnswers', () => {
  const wrong = (label: string, status: number): Exchange => exampleExchange({ status, label });
  const rule = { expected: '400', statement: () => 'is refused' };

  it('says each one by itself where they are few', () => {
    const violations = wrongAnswers([wrong('a', 200), wrong('b', 200), wrong('c', 500)], rule);
    expect(violations.map(({ statement }) => statement)).toEqual([
      'is refused: a',
      'is refused: b',
      'is refused: c',
    ]);
  });

  it('says many by their responses, and names six at the most', () => {
    const many = Array.from({ length: 20 }, (_, at) => wrong(`x${at}`, at < 3 ? 500 : 200));
    expect(wrongAnswers(many, { ...rule, clauseOf: () => 'weaker' })).toMatchObject([
      { statement: 'is refused: x0; x1; x2', actual: '500', clause: 'weaker' },
      { statement: 'is refused: x3; x4; x5; x6; x7; and 12 more', actual: '200', clause: 'weaker' },
    ]);
  });

  it('is nothing for nothing', () => {
    expect(wrongAnswers([], rule)).toEqual([]);
  });
});

describe('a check of refused bodies', () => {
  const check = refusedBodies({
    ...{ requirement: 'REQUEST-1', title: '', subject: 'A body', planned: {} },
    bodiesFor: () => [],
  });
  const operation = exampleOperation({ method: 'POST' });
  const control = exampleExchange({ step: 'valid', status: 200 });
  const refused = exampleExchange({ step: 'valid', status: 403 });
  const again = (status: number): Exchange =>
    exampleExchange({ step: 'recovery', row: { company: '404' }, status });
  const other = (status: number): Exchange =>
    exampleExchange({ step: 'value', row: { body: 'other' }, status });

  it.each<[string, readonly Exchange[], string]>([
    ['nothing', [], 'inconclusive'],
    ['refused with 400', [control, other(400)], 'pass'],
    ['accepted', [control, other(200)], 'violated'],
    ['accepted without a control', [other(200)], 'violated'],
    ['refused without a control', [other(400)], 'inconclusive'],
    ['refused as the control is', [refused, other(400)], 'inconclusive'],
    ['refused otherwise, the valid call not', [control, other(404), again(200)], 'violated'],
    ['refused otherwise, and so is the valid call', [control, other(404), again(404)], 'inconclusive'],
    ['refused otherwise, the valid call not sent again', [control, other(404)], 'inconclusive'],
  ])('%s', (_name, exchanges, outcome) => {
    expect(check.evaluate({ operation, exchanges }).outcome).toBe(outcome);
  });
});

describe('leaves', () => {
  it('are all scalars by their pointers, at any depth', () => {
    expect([...leavesOf({ 'a/b': [1, { '~': null }], c: {}, d: [] })].sort()).toEqual([
      ['/a~1b/0', 1],
      ['/a~1b/1/~0', null],
    ]);
    expect([...leavesOf('text')]).toEqual([['', 'text']]);
    const depth = 20_000;
    expect(leavesOf(JSON.parse(`${'['.repeat(depth)}1${']'.repeat(depth)}`)).size).toBe(1);
  });

  it('change where both documents have them with other values, moments left aside', () => {
    const before = leavesOf({ a: 1, b: 'x', c: 3, at: '2026-01-01T00:00:00Z', gone: 1 });
    const after = leavesOf({ a: 1, b: 'y', c: '3', at: '2026-01-01T00:00:09Z', come: 1 });
    expect([...changedLeaves(before, after)].sort()).toEqual(['/b', '/c']);
  });

  it.each([
    ['open', 'OPEN', true],
    [1, '1', true],
    ['1.0', 1, true],
    [1, 2, false],
    ['2026-01-01T00:00:00.400Z', '2026-01-01T00:00:00Z', true],
    ['2026-01-01T00:00:00Z', 1_767_225_600, true],
    ['2026-01-01T00:00:00Z', '2026-01-01T00:00:05Z', false],
    [true, 'true', false],
    [null, 'null', false],
    ['', 0, false],
    ['', ' ', true],
  ] as const)('%j and %j read alike: %s', (a, b, alike) => {
    expect([readsSame(a, b), readsSame(b, a)]).toEqual([alike, alike]);
  });

  it.each([
    ['2026-01-01T00:00:00Z', true],
    ['2026-01-01 00:00', true],
    ['2026-01-01', false],
    ['2026-99-99T99:99', false],
    [1_767_225_600, true],
    [1_767_225_600_000, true],
    [42, false],
    [null, false],
  ] as const)('%j is a moment: %s', (leaf, moment) => {
    expect(isMoment(leaf)).toBe(moment);
  });

  it('mention a value that stands alone, also encoded, and no part of another', () => {
    expect(mentions(leavesOf({ a: { href: '/sessions/cs_1/cancel' } }), 'cs_1')).toBe(true);
    expect(mentions(leavesOf({ href: '/sessions/cs%2F1' }), 'cs/1')).toBe(true);
    expect(mentions(leavesOf({ id: 1001 }), '1001')).toBe(true);
    expect(mentions(leavesOf({ id: 10010 }), '1001')).toBe(false);
    expect(mentions(leavesOf({ id: 'xcs_1' }), 'cs_1')).toBe(false);
    expect(mentions(leavesOf({ cs_1: 1 }), 'cs_1')).toBe(false);
  });
});

describe('errorTexts', () => {
  const bodyOf = (text: string, status = 404): Exchange => {
    const exchange = exampleExchange({ status });
    const { response } = exchange;
    if (response === undefined) return exchange;
    const body = recordBody(Buffer.from(text), new SecretRegister());
    return { ...exchange, response: { ...response, body } };
  };

  it('are the strings of a JSON body, and nothing of a success', () => {
    expect(errorTexts(bodyOf('{"a":"x","b":["y",1,{"c":"z"}]}'))).toEqual(['x', 'y', 'z']);
    expect(errorTexts(bodyOf('{"a":"x"}', 200))).toBeUndefined();
    expect(errorTexts(bodyOf('<p>a &lt;b&gt;</p>'))).toEqual(['a <b>\n']);
  });

  it('bear any depth', () => {
    expect(errorTexts(bodyOf('['.repeat(30_000) + ']'.repeat(30_000)))).toEqual([]);
  });
});
