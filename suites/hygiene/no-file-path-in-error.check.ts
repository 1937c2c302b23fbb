import type { PassiveCheck } from '../../harness/checks/check.ts';
import { errorTexts, isEchoed } from '../../harness/checks/error-text.ts';
import { everyAnswer, noErrorSeen } from '../../harness/checks/every-answer.ts';

/** Where a path may begin: not in the middle of a URL, of another path or of a word. */
const start = String.raw`(?<![\w./:%~@-])`;
const segment = String.raw`[\w.@+~-]{1,100}`;
const segments = `(?:/${segment}){1,30}`;
const extension =
  '(?:[cm]?[jt]sx?|json|ya?ml|toml|ini|conf|cfg|env|properties|xml|py|pyc|rb|erb|php|phtml|inc|go|rs|java|kt|class|jar|war|cs|dll|exe|so|ex|exs|pl|sh|sql|db|sqlite3?|log|lock|pem|key|crt|sock|tmp|html?|tmpl|twig|vue)';

/** Paths on a machine; `/home` or `/app`, with which a route may begin, only where it ends in the name of a file. */
const patterns: readonly RegExp[] = [
  // Directories whose names are unlikely as routes or fields.
  new RegExp(
    `${start}/(?:etc|proc|usr/(?:bin|lib|lib64|local|share|src)|var/(?:www|lib|log|run|task|cache|opt|folders|spool|tmp)|private/var)${segments}`,
  ),
  new RegExp(`${start}/(?:srv|opt|Users)/${segment}${segments}`),
  new RegExp(
    `${start}/home/(?:ubuntu|node|ec2-user|deploy|deployer|runner|vagrant|admin|www|www-data|app|git|user)${segments}`,
  ),
  new RegExp(
    `${start}/(?:home|app|apps|root|tmp|mnt|data|code|src|build|builds|dist|workspace|workspaces|code|layers|vercel|project|bin|lib|run|var|usr|srv|opt)${segments}\\.${extension}(?![\\w/])`,
  ),
  new RegExp(`${segments}?/(?:node_modules|site-packages|dist-packages|vendor/bundle)/${segment}`),
  // After the words with which systems report on a file, any absolute path counts.
  new RegExp(
    `(?:no such file or directory|permission denied|ENOENT|EACCES|EISDIR|ENOTDIR|ENAMETOOLONG|failed to open stream)[^\\n/]{0,60}${start}/${segment}${segments}`,
    'i',
  ),
  /\bfile:\/\/\/?(?:[A-Za-z]:)?\/?[\w.@+~/-]{3,300}/,
  /(?<![A-Za-z])[A-Za-z]:\\(?:[^\\/:*?"<>|\s]{1,100}\\){1,30}[^\\/:*?"<>|\s]{1,100}/,
  /(?<![A-Za-z])[A-Za-z]:\/(?:Users|inetpub|Windows|Program Files|ProgramData|app|src|web)\/[\w.@+~/ -]{1,300}/,
  // A share of a Windows server; escape sequences, as in patterns, are shorter.
  /(?<![\\\w])\\\\[A-Za-z0-9][\w.-]{1,60}(?:\\[\w.$+~-]{2,100}){2,30}/,
].map((pattern) => new RegExp(pattern, `${pattern.flags}g`));

/** Paths of a file system in a text; routes of the interface do not count, regardless of any prefix. */
function serverPathsIn(text: string): readonly string[] {
  // Each of them has a slash or a backslash.
  if (!/[/\\]/.test(text)) return [];
  return patterns
    .flatMap((pattern) => [...text.matchAll(pattern)].map(([piece]) => piece))
    .filter((piece) => !piece.includes('/api/v1/'));
}

export const check: PassiveCheck = everyAnswer({
  requirement: 'HYGIENE-3',
  title: 'no error body contains a path of the server’s file system',
  notApplicableReason: noErrorSeen,
  statement: 'An error body contains a path of the file system',
  expected: 'a message for the client',
  look: (exchange) => {
    const texts = errorTexts(exchange);
    const path = texts?.flatMap(serverPathsIn).find((piece) => !isEchoed(piece, exchange));
    if (path === undefined) return texts && 'holds';
    return path.includes('\\') ? 'a Windows path' : 'a Unix path';
  },
});
