import type { PassiveCheck } from '../../harness/checks/check.ts';
import { neverSucceeds } from '../auth/never-succeeds.ts';

export const check: PassiveCheck = neverSucceeds('unscoped');
