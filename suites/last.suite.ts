import { registerLastCases } from '../harness/running/register-cases.ts';

await registerLastCases();
