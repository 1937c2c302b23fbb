import type { Report } from '../../harness/model/report.ts';
import { loadContract } from '../../spec/contract.ts';

/** The operations of the contract as a report lists them. */
export const sampleOperations: Report['operations'] = (await loadContract()).operations.map(
  ({ id, method, path, idIsOurs }) => ({ id, method, path, idIsOurs }),
);
