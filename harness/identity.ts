import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../spec/package-root.ts';

type Identity = Readonly<Record<'name' | 'version', string>>;

const { name, version } = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8')) as Identity;

export const harnessIdentity: Identity = { name, version };
