import { expect, it } from 'vitest';
import { OtherFormatVersion, requireFormatVersion } from './format-version.ts';

it.each([
  [undefined, 'states no version of its format, as an older commerce-conformance wrote it'],
  [
    1,
    'has the format version 1, and this commerce-conformance reads 2: verify it with the version that wrote it',
  ],
  [3, 'has the format version 3, and this commerce-conformance reads 2: verify it with a newer version'],
  ['2'.repeat(100), `"${'2'.repeat(39)}, and this`],
])('refuses the version %s', (stated, message) => {
  const read = (): void => requireFormatVersion(stated, 2);
  expect(read).toThrow(OtherFormatVersion);
  expect(read).toThrow(message);
});

it('takes the version that it reads', () => {
  expect(() => requireFormatVersion(2, 2)).not.toThrow();
});
