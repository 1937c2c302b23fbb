import { execFileSync } from 'node:child_process';

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
