import { ownArea } from '../harness/checks/custom-check.ts';
import { registerCases } from '../harness/engine/register-cases.ts';

await registerCases(ownArea);
