import type { CollectiveCheck } from '../../harness/checks/check.ts';
import { shownWithRefusal } from '../auth/shown-with-refusal.ts';

export const check: CollectiveCheck = shownWithRefusal({
  requirement: 'SCOPE-1',
  title: 'what refuses a key without catalog:read does not show what a key with it gets',
  applies: ({ scope }) => scope !== undefined,
  keys: ['unscoped'],
});
