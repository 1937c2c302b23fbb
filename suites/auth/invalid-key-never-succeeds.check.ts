import type { PassiveCheck } from '../../harness/checks/check.ts';
import { neverSucceeds } from './never-succeeds.ts';

export const check: PassiveCheck = neverSucceeds('invalid');
