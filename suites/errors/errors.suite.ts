import { registerCases } from '../../harness/engine/register-cases.ts';

await registerCases('errors');
