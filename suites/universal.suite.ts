import { registerPassiveCases } from '../harness/engine/register-cases.ts';

await registerPassiveCases();
