import { expect, test } from 'vitest';
import { absolutePath } from './absolute-path.ts';
import { UsageError } from './usage-error.ts';

test('a path is taken against the working folder, unless it is absolute', () => {
  expect(absolutePath('report/a', () => '/srv')).toBe('/srv/report/a');
  expect(absolutePath('/other', () => '/srv')).toBe('/other');
});

test('a working folder that is gone is the mistake of the user', () => {
  const gone = (): string => {
    throw Object.assign(new Error('uv_cwd'), { code: 'ENOENT' });
  };
  expect(() => absolutePath('report', gone)).toThrow(UsageError);
});
