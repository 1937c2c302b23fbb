import { testWholeRun } from './whole-run-for-tests.ts';

testWholeRun('standard');
