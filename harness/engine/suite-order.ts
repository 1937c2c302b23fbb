import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Come first: what others may change, and what shows with the fewest requests whether the target answers at all. */
const first = ['first.suite', 'surface.suite'];
/** Come last, in this order: suites that may disturb others, custom checks, and the evaluation of all exchanges. */
const last = ['last.suite', 'custom.suite', 'universal.suite'];

/** Orders the suite files by name, the first ones first and the last ones last; files of other kinds keep the order that vitest gives them. */
export class SuiteOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = (names: readonly string[], { moduleId }: TestSpecification): number =>
      names.findIndex((name) => moduleId.includes(`/${name}.`)) + 1;
    const rank = (file: TestSpecification): number => place(last, file) - (place(first, file) > 0 ? 1 : 0);
    const suites = files.filter(isSuite);
    const others = await super.sort(files.filter((file) => !isSuite(file)));
    suites.sort((a, b) => rank(a) - rank(b) || a.moduleId.localeCompare(b.moduleId));
    return [...others, ...suites];
  }
}

function isSuite({ moduleId }: TestSpecification): boolean {
  return /\.suite\.[jt]s$/.test(moduleId);
}
