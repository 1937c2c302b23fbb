import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Suites that judge or provoke what others would suffer from come last, in this order. */
const last = ['last.suite', 'universal.suite'];

/** Orders the suite files by name, the last ones last; files of other kinds keep the order that vitest gives them. */
export class SuiteOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number =>
      last.findIndex((name) => moduleId.includes(`/${name}.`));
    const suites = files.filter(isSuite);
    const others = await super.sort(files.filter((file) => !isSuite(file)));
    suites.sort((a, b) => rank(a) - rank(b) || a.moduleId.localeCompare(b.moduleId));
    return [...others, ...suites];
  }
}

function isSuite({ moduleId }: TestSpecification): boolean {
  return /\.suite\.[jt]s$/.test(moduleId);
}
