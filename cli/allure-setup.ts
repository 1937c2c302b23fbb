import { afterEach } from 'vitest';
import type {} from '../harness/engine/current-run.ts';
import { labelsOf, nameOf } from '../reporters/allure/render-allure.ts';

/** What the reporter of allure-vitest reads. */
interface AllureMeta {
  allureSkip?: boolean;
  allureRuntimeMessages?: readonly unknown[];
}

// For `vitest --project conformance`: Allure gets the names and labels that `--format allure` gives the same cases.
afterEach(({ task }) => {
  const meta = task.meta as typeof task.meta & AllureMeta;
  const { result } = meta;
  if (result === undefined || result.outcome === 'not-applicable') meta.allureSkip = true;
  else
    meta.allureRuntimeMessages = [
      { type: 'metadata', data: { displayName: nameOf(result), labels: labelsOf(result) } },
    ];
});
