import type { PassiveCheck } from '../../harness/checks/check.ts';
import { neverSucceeds } from '../auth/never-succeeds.ts';

const check: PassiveCheck = neverSucceeds('unscoped');

export default check;
