import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { surelyFound, WindowFilter } from './window-filter.ts';

function filterOf(...forms: readonly string[]): WindowFilter {
  const filter = new WindowFilter();
  for (const form of forms) filter.add(form);
  return filter;
}

describe('WindowFilter', () => {
  it('misses no long enough stretch of what was added, wherever it stands', () => {
    const unit = 'binary';
    fc.assert(
      fc.property(
        fc.string({ minLength: surelyFound, maxLength: 60, unit }),
        fc.nat(),
        fc.string({ unit }),
        fc.string({ unit }),
        (form, from, before, after) => {
          const start = from % (form.length - surelyFound + 1);
          const text = before + form.slice(start, start + surelyFound) + after;
          expect(filterOf('something else', form).mayHold(text)).toBe(true);
        },
      ),
      // Each filter takes megabytes.
      { numRuns: 25 },
    );
  });

  it('passes over texts that share no window with it', () => {
    const filter = filterOf('abcdefghijklmnop');
    expect(filter.mayHold('{"message":"no product is called so","code":"not_found"}')).toBe(false);
    expect(filter.mayHold('')).toBe(false);
    expect(new WindowFilter().mayHold('abcdefghijklmnop')).toBe(false);
  });
});
