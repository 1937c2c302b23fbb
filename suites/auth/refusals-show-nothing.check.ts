import type { CollectiveCheck } from '../../harness/checks/check.ts';
import { shownWithRefusal } from './shown-with-refusal.ts';

export const check: CollectiveCheck = shownWithRefusal({
  requirement: 'AUTH-3',
  title: 'what refuses a call without a valid key does not show what a valid key gets',
  applies: ({ auth }) => auth === 'api-key',
  keys: ['none', 'invalid'],
});
