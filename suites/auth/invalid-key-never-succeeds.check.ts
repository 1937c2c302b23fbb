import type { PassiveCheck } from '../../harness/checks/check.ts';
import { neverSucceeds } from './never-succeeds.ts';

const check: PassiveCheck = neverSucceeds('invalid');

export default check;
