import { registerPassiveCases } from '../harness/running/register-cases.ts';

await registerPassiveCases();
