import { execFileSync } from 'node:child_process';
import type { Fault } from '../../fixtures/faults/fault.ts';
import type { Variant } from '../../fixtures/variants/variant.ts';

/** The faults and variants by the names of their files, without folder and suffix. */
export interface Corpus {
  readonly faults: ReadonlyMap<string, ReadonlyArray<Pick<Fault, 'name' | 'breaks'>>>;
  readonly variants: ReadonlyMap<string, ReadonlyArray<Pick<Variant, 'name'>>>;
}

/** Files that no proof depends on: tests, examples, pages, and code that only shows or starts a run. */
const irrelevant =
  /\.test\.ts$|-for-tests\.ts$|\.examples\.ts$|\.md$|^(?!(?:fixtures|harness|spec|suites|tools\/proof)\/|package(?:-lock)?\.json$)|^fixtures\/(?:evolutions|hostile|testing)\//;

/**
 * The names of all faults and variants that a change of files can touch: those in changed files; for a check, the faults that
 * it finds and all variants; for another file of an area, the faults of its checks and all variants; for the rest, everything.
 */
export function selectChanged(changed: readonly string[], { faults, variants }: Corpus): ReadonlySet<string> {
  const allFaults = [...faults.values()].flat();
  const namesOf = (items: ReadonlyArray<{ readonly name: string }>): readonly string[] =>
    items.map(({ name }) => name);
  const everyVariant = namesOf([...variants.values()].flat());
  return new Set(
    changed
      .filter((path) => !irrelevant.test(path))
      .flatMap((path) => {
        const [, kind, file = ''] = /^fixtures\/(faults|variants)\/([\w-]+)\.\1\.ts$/.exec(path) ?? [];
        if (kind === 'faults') return namesOf(faults.get(file) ?? []);
        if (kind === 'variants') return namesOf(variants.get(file) ?? []);
        const [, area, check] = /^suites\/([\w-]+)\/(?:([\w-]+)\.check\.ts)?/.exec(path) ?? [];
        if (area === undefined) return [...namesOf(allFaults), ...everyVariant];
        const mayFind = (named: string): boolean =>
          check === undefined ? named.startsWith(`${area}/`) : named === `${area}/${check}`;
        const found = allFaults.filter(({ breaks }) => breaks.check === undefined || mayFind(breaks.check));
        return [...namesOf(found), ...everyVariant];
      }),
  );
}

/** Files of a repository that differ from where the branch left the main one, with those not yet committed. */
export function changedFiles(root: string): readonly string[] {
  const git = (...args: readonly string[]): readonly string[] =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\n').filter(Boolean);
  const refs = git('for-each-ref', '--format=%(refname)', 'refs/remotes/origin/main', 'refs/heads/main');
  const main = refs.at(-1);
  if (main === undefined) throw new Error('there is no branch main to compare with; fetch it');
  const [base = main] = git('merge-base', main, 'HEAD');
  return [
    ...git('diff', '--name-only', '--relative', base),
    ...git('ls-files', '--others', '--exclude-standard'),
  ];
}
