import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../spec/package-root.ts';

export const harnessIdentity: { readonly name: string; readonly version: string } = (() => {
  const { name, version } = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8')) as {
    name: string;
    version: string;
  };
  return { name, version };
})();
