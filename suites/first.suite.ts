import { registerFirstCases } from '../harness/engine/register-cases.ts';

await registerFirstCases();
