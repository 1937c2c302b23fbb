import { describe, expect, test } from 'vitest';
import { refuseInstalledFolder } from './installed-folder.ts';

describe('the folder of the package', () => {
  test.each(['/srv/100%/node_modules/x', '/srv/c#/x', '/srv/what?/x'])('%s is refused', (root) => {
    expect(() => refuseInstalledFolder(root)).toThrow('install it elsewhere');
  });

  test.each(['/srv/a b/x', "/srv/ümläut's [1] & @2/x"])('%s is fine', (root) => {
    expect(() => refuseInstalledFolder(root)).not.toThrow();
  });
});
