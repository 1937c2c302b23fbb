import { registerLastCases } from '../harness/engine/register-cases.ts';

await registerLastCases();
