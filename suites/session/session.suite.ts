import { registerCases } from '../../harness/running/register-cases.ts';

await registerCases('session');
