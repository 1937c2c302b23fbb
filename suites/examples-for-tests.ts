import { existsSync } from 'node:fs';
import type { Check, IdentifiedCheck } from '../harness/checks/check.ts';
import { type Examples, listedExamples } from '../harness/checks/examples.ts';

/** The checks with the examples that the files beside them hold: `<slug>.examples.ts` for `<slug>.check.ts`. */
export function withExamples(checks: readonly IdentifiedCheck[]): Promise<readonly IdentifiedCheck[]> {
  return Promise.all(
    checks.map(async (check) => {
      const file = new URL(`./${check.id}.examples.ts`, import.meta.url);
      if (!existsSync(file)) return check;
      const { examples } = (await import(file.href)) as { readonly examples: Examples<never> };
      return { ...check, examples: listedExamples(examples) } as IdentifiedCheck<Check>;
    }),
  );
}
