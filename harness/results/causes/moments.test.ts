import { describe, expect, it } from 'vitest';
import type { ExampleParts } from '../../checks/example-exchange.ts';
import { type Moments, noMoments, type Spell } from '../../evidence/spell-ledger.ts';
import type { CaseResult, Finding, RootCause } from '../../model/report.ts';
import { caseShowing } from '../results-for-tests.ts';
import { attribute } from './root-causes.ts';

const start = Date.parse('2026-01-01T00:00:00Z');

const spell: Spell = {
  operation: 'a',
  came: 500,
  servedAt: start - 1_000,
  from: start - 10,
  to: start + 10,
  times: 5,
  isLasting: true,
  ms: 12,
  usualMs: 10,
  until: '60 with 200',
  after: ['b 404'],
  isOfCrowd: false,
};

function shows(requirement: string, parts: ExampleParts, finding: Partial<Finding> = {}): CaseResult {
  return caseShowing(requirement, { startedAt: new Date(start).toISOString(), ...parts }, finding);
}

function causesOf(results: readonly CaseResult[], moments: Partial<Moments>): readonly RootCause[] {
  return attribute(results, [], [], { ...noMoments, ...moments }).rootCauses;
}

it('a read that is refused at some moments anyway is not refused for its company', () => {
  const company = 'with 6 calls of the operation under way';
  const results = [shows('SURFACE-1', { status: 404 }, { company })];
  const [cause] = causesOf(results, { unsteady: [{ operation: 'a', came: 404, times: 4, of: 9 }] });
  expect(cause?.headline).toMatch(/^At some moments, a call is answered 404/);
  expect(cause?.fix).toContain('404 in 4 of 9 calls');
});

const crash = (operation: string, role: 'control' | 'probe') => ({ operation, role, status: 500 });

describe('findings of a moment', () => {
  it('are one root cause from the first valid call that failed for good', () => {
    const results = [shows('STATUS-1', crash('a', 'control')), shows('REQUEST-2', crash('a', 'probe'))];
    const [cause, ...others] = causesOf(results, { spells: [spell] });
    expect(others).toEqual([]);
    expect(cause?.headline).toMatch(
      /^After calls of the operation were answered, 60 with 200, a call is answered 500/,
    );
    expect(cause?.fix).toContain('the last calls that were refused were b 404');
  });

  it('of one short stretch without a service tell of a restart, however long calls waited', () => {
    const away = { ...spell, came: 502, isLasting: false, times: 2, ms: 2_000 };
    const results = [shows('STATUS-1', { ...crash('a', 'control'), status: 502 })];
    const [cause] = causesOf(results, { spells: [away] });
    expect(cause?.headline).toMatch(/^At some moments, a call is answered 502/);
    expect(cause?.fix).toMatch(
      /^Find out what was restarted or replaced then.* 2 valid calls of a failed in a row/,
    );
    const later = { ...away, from: start + 60_000, to: start + 60_010 };
    expect(causesOf(results, { spells: [away, later] })[0]?.fix).toContain('exhausted resource');
    const gaveUp = [shows('STATUS-1', { ...crash('a', 'control'), status: 504 })];
    expect(causesOf(gaveUp, { spells: [{ ...away, came: 504 }] })[0]?.fix).toContain('proxy_read_timeout');
  });

  it('are one root cause at all operations where calls wait as long as a valid call that failed', () => {
    const waits = { ...spell, ms: 2_000, isLasting: false };
    const results = ['b', 'c'].map((operation) =>
      shows('RESOURCE-1', { ...crash(operation, 'probe'), durationMs: 2_010 }),
    );
    expect(causesOf(results, { spells: [waits] }).map(({ headline }) => headline)).toEqual([
      expect.stringMatching(/^After a wait of about 2 s, a call is answered 500/),
    ]);
  });

  it('leave a call alone that failed before, elsewhere or with another status', () => {
    const later = { ...spell, from: start + 1_000 };
    const [one] = causesOf([shows('REQUEST-2', crash('a', 'probe'))], { spells: [later] });
    expect(one?.headline).not.toContain('After calls');
    const [other] = causesOf([shows('REQUEST-2', crash('b', 'probe'))], { spells: [spell] });
    expect(other?.headline).not.toContain('After calls');
    const [third] = causesOf([shows('REQUEST-2', { ...crash('a', 'probe'), status: 502 })], {
      spells: [spell],
    });
    expect(third?.headline).not.toContain('After calls');
  });

  it('name the call with which lasting failures began', () => {
    const results = [shows('STATUS-1', crash('a', 'control')), shows('RESOURCE-2', crash('a', 'probe'))];
    const [cause, ...others] = causesOf(results, { spells: [{ ...spell, begunBy: 'white space' }] });
    expect(others).toEqual([]);
    expect(cause?.headline).toMatch(/^From the call “white space” on, a call is answered 500/);
    expect(cause?.fix).toContain('what this call leaves behind');
  });

  it('name a crowd where calls failed only beside others, and a limit of load where they got 503', () => {
    const passing = { ...spell, isLasting: false };
    const results = [shows('STATUS-1', crash('a', 'control'))];
    const [crowd] = causesOf(results, { spells: [{ ...passing, isOfCrowd: true }] });
    expect(crowd?.headline).toMatch(
      /^With other calls of these operations under way, a call is answered 500/,
    );
    const busy = [shows('STATUS-1', { ...crash('a', 'control'), status: 503 })];
    const [shed] = causesOf(busy, { spells: [{ ...passing, came: 503 }] });
    expect(shed?.fix).toContain('limit on concurrent calls');
  });

  it('are one of an outage at all operations, whoever answered, with the call that began it', () => {
    const outage = { came: 503, from: start, to: start + 3_000, times: 30, operations: 2 };
    const results = ['a', 'b'].map((operation) => shows('STATUS-1', { operation, status: 503 }));
    const [cause, ...others] = causesOf(results, { outages: [outage] });
    expect(others).toEqual([]);
    expect(cause?.headline).toMatch(
      /^From 00:00:00 to 00:00:03 UTC at every operation, a call is answered 503/,
    );
    const begunBy = { label: '4096 letters', came: 502 };
    const [begun] = causesOf(results, { outages: [{ ...outage, begunBy }] });
    expect(begun?.headline).toMatch(/^For 3 s after the call “4096 letters” got 502, a call is answered 503/);
  });

  it('are one where header fields are too many, unless a call with fewer was refused for its header', () => {
    const fields = (requirement: string, count: number): CaseResult => {
      const headers = Array.from({ length: count }, (_, at) => [`x-${at}`, '1'] as const);
      const parts = { status: 400, operation: `op${count}`, row: { 'x-0': ['1'] } };
      return shows(requirement, { ...parts, request: { headers } });
    };
    const many = [fields('CLIENT-1', 12), fields('SCOPE-1', 20)];
    const fieldLimit = { most: 10, status: 400 };
    expect(causesOf(many, { fieldLimit }).map(({ headline }) => headline)).toEqual([
      expect.stringMatching(/^With more than 10 header fields, a call is answered 400/),
    ]);
    expect(causesOf([...many, fields('CLIENT-1', 2)], { fieldLimit })[0]?.headline).not.toContain(
      '10 header',
    );
  });

  it('are one where headers are too large, whatever they are', () => {
    const results = ['a', 'b'].map((operation) => shows('SCOPE-1', { operation, status: 431 }));
    const [cause, ...others] = causesOf(results, {});
    expect(others).toEqual([]);
    expect(cause?.headline).toMatch(/^With many or long header fields, a call is answered 431/);
  });

  it('say who may have answered without the id that other responses carry', () => {
    const fixFor = (headers: Readonly<Record<string, string>>): string | undefined =>
      causesOf([shows('STATUS-1', { status: 502, headers })], { idHeaders: ['x-request-id'] })[0]?.fix;
    expect(fixFor({ server: 'Apache/2.4' })).toMatch(/lacks x-request-id, .* Apache may have written it\.$/);
    expect(fixFor({ 'x-request-id': '1' })).not.toContain('lacks');
  });

  it('say of a key that wavers what came before', () => {
    const refused = { operation: 'a', status: 401, credential: 'unscoped' } as const;
    const results = [shows('SCOPE-1', refused), shows('RESOURCE-1', { ...refused, operation: 'b' })];
    expect(causesOf(results, { blocked: ['unscoped'] }).map(({ headline }) => headline)).toEqual([
      expect.stringMatching(
        /^For a while after the same key was answered 403, a call with a good key is answered 401/,
      ),
    ]);
  });
});
