import { expect, test } from 'vitest';
import { createProgress, type Progress, type ProgressState } from './progress.ts';

interface Rig {
  readonly progress: Progress;
  readonly written: string[];
  at(ms: number, state?: Partial<ProgressState>): void;
}

function rig(tty: boolean, colour: boolean = false, columns: number = 80): Rig {
  const written: string[] = [];
  let clock = 0;
  const stream = { columns, write: (text: string) => written.push(text) };
  const progress = createProgress(stream, { tty, colour, now: () => clock });
  return {
    progress,
    written,
    at(ms, state = {}) {
      clock = ms;
      progress.update({
        casesDone: 12,
        casesTotal: 640,
        requests: 1204,
        failures: 0,
        phase: 'storefront',
        ...state,
      });
    },
  };
}

test('a terminal gets one line, rewritten and cleared', () => {
  const { progress, written, at } = rig(true);
  at(0, { etaMs: 12_300 });
  at(50);
  at(150, { casesDone: 13 });
  progress.end();
  progress.end();
  at(1000);
  expect(written).toEqual([
    '\r\x1b[2K12/640 cases · 1,204 requests · 0 failed · storefront · 12 s left',
    '\r\x1b[2K13/640 cases · 1,204 requests · 0 failed · storefront',
    '\r\x1b[2K',
  ]);
});

test('an estimate follows the pace, and is never nothing', () => {
  const { written, at } = rig(false);
  at(0, { etaMs: 3_000 });
  at(60_000, { etaMs: 0.4 });
  at(120_000, { etaMs: 240_000, phase: 'slowed by 429', pace: '3.1 requests/s' });
  at(180_000, { phase: 'slowed by 429', pace: '0 requests/s' });
  expect(written.map((line) => line.split(' failed · ')[1])).toEqual([
    'storefront · 3 s left\n',
    'storefront · 1 s left\n',
    'slowed by 429, 3.1 requests/s · 4 min left\n',
    'slowed by 429, 0 requests/s · time left unknown\n',
  ]);
});

test('elsewhere there are plain lines, few', () => {
  const { progress, written, at } = rig(false);
  for (let ms = 0; ms < 12_000; ms += 100) at(ms);
  at(12_000, { phase: 'hosted sessions', failures: 2 });
  progress.end();
  expect(written).toHaveLength(4);
  expect(written.join('')).not.toMatch(/[^\P{Cc}\n]/u);
  expect(written[3]).toBe('12/640 cases · 1,204 requests · 2 failed · hosted sessions\n');
});

test('the line fits the terminal', () => {
  const { written, at } = rig(true, true, 30);
  at(0, { failures: 3 });
  expect(written[0]).toBe('\r\x1b[2K12/640 cases · 1,204 request…');
});

test('failures stand out where there is colour', () => {
  const { written, at } = rig(true, true);
  at(0, { failures: 3 });
  expect(written[0]).toContain('\x1b[31m3 failed\x1b[39m');
});

test('a lasting line goes above and is escaped', () => {
  const { progress, written, at } = rig(true);
  progress.line('before');
  at(0);
  progress.line('a\x1b[2Jb\n');
  progress.end();
  progress.line('after');
  expect(written).toEqual([
    'before\n',
    expect.stringContaining('12/640'),
    expect.stringContaining('\r\x1b[2Ka\\x1b[2Jb\\n\n12/640'),
    '\r\x1b[2K',
    'after\n',
  ]);
});

test('a phase is escaped', () => {
  const { written, at } = rig(false);
  at(0, { casesDone: 0, phase: 'preflight\x1b' });
  expect(written[0]).toBe('0/640 cases · 1,204 requests · 0 failed · preflight\\x1b\n');
});
