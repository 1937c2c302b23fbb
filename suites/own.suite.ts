import { ownArea } from '../harness/own-checks/own-check.ts';
import { registerCases } from '../harness/running/register-cases.ts';

await registerCases(ownArea);
