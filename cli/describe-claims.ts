import type { Claims } from '../harness/certification/claims.ts';
import { visibleText } from '../harness/visible-text.ts';
import { plural } from '../reporters/model/wording.ts';

/** Characters of a line; a longer text goes on in the next one. */
const line = /.{1,300}/gsu;

type Line = readonly [name: string, text: string];

/** A line for each text, so that none hides another. */
function linesOf(name: string, texts: readonly string[], none: string): readonly Line[] {
  return (texts.length === 0 ? [none] : texts).map((text, at) => [at === 0 ? name : '', text]);
}

function membersOf(value: object | null | undefined): readonly string[] {
  return Object.entries(value ?? {}).map(([name, member]) => `${name}: ${JSON.stringify(member)}`);
}
function parametersOf(query: Claims['sent']['query'] = {}): readonly string[] {
  return Object.entries(query).flatMap(([operation, parameters]) =>
    membersOf(parameters).map((parameter) => `${operation} ${parameter}`),
  );
}

/** The claims of a certificate with their names, as a list of name and text. */
export function namedClaims(claims: Claims): readonly Line[] {
  const { connection, window, sent, spotCheck, traffic, warnings } = claims;
  const headers = sent.headers.map((name) => `sent with every request: ${name}`);
  const documents = claims.documents.flatMap(({ sha256, source }) => [`sha256:${sha256}`, `from ${source}`]);
  const notApplicable = claims.notApplicable.map(
    ({ reason, tests }) => `${plural(tests, 'must test')}: ${reason}`,
  );
  const blocked = Object.entries(traffic.blocked ?? {}).map(
    ([operation, count]) => `answered ${plural(count, 'call')} of ${operation} with 403`,
  );
  return [
    ...(claims.development
      ? ([['DEVELOPMENT', 'a rehearsal; proves nothing about a product']] as const)
      : []),
    ['vendor', claims.vendor ?? 'not named'],
    ['product', claims.product ?? 'not named'],
    ['base URL', claims.baseUrl],
    ['subject', `sha256:${claims.subject}`],
    ...linesOf('connection', membersOf(connection), 'direct'),
    ...linesOf('addresses', claims.peers?.addresses ?? [], 'none'),
    ...(claims.peers?.certificates ?? []).flatMap(({ sha256, validUntil, issuer, names }) =>
      linesOf('TLS', [`sha256:${sha256}`, `until ${validUntil}`, `issued by ${issuer}`, `for ${names}`], ''),
    ),
    ['run', `${claims.startedAt} to ${claims.endedAt}`],
    ['issued', claims.issuedAt],
    ['expires', claims.expiresAt],
    ['window', window === null ? 'no challenge' : `${window.notBefore} to ${window.notAfter}`],
    ['harness', claims.harness],
    ['contract', `sha256:${claims.contract}`],
    ['checks', `sha256:${claims.checks}`],
    ['run id', claims.runId],
    ['seed', String(claims.seed)],
    ...linesOf('options', membersOf(claims.options), 'none'),
    ['authorization', sent.authorization],
    ...linesOf('headers', headers, 'none'),
    ...linesOf('queries', parametersOf(sent.query), 'none'),
    ...linesOf('document', documents, 'none'),
    ...linesOf('its queries', parametersOf(sent.documentQuery), 'none'),
    ['exclusions', claims.exclusions.map((one) => one.class).join(', ') || 'none'],
    ['custom checks', claims.customChecks.join(', ') || 'none'],
    ['passed', `${claims.passedTests} tests`],
    ['not tested', `${claims.untestedTests} tests`],
    ...linesOf('not applicable', notApplicable, 'no must test'),
    ['requests', String(traffic.requests)],
    ['responses', membersOf(traffic.byStatus).join(', ')],
    ...linesOf('firewall', blocked, 'answered no call'),
    ['warnings', String(warnings.length)],
    ...warnings.map(({ test, requirement, message }) => ['', `${requirement} ${test}: ${message}`] as const),
    ['signed by', claims.signer ?? 'nobody'],
    ['challenged by', claims.owner ?? 'nobody'],
    [
      'spot check',
      spotCheck === null
        ? 'none'
        : `${spotCheck.startedAt}, ${spotCheck.repeated} cases on ${spotCheck.operations} operations and ${spotCheck.verbatim ?? 0} recorded calls, ${spotCheck.differences.length} differences; ${spotCheck.unrepeated} cases could not be tested`,
    ],
  ];
}

/** The claims of a certificate as lines of text, each claim whole: the end of one may be what matters. */
export function describeClaims(claims: Claims): string {
  return namedClaims(claims)
    .flatMap(([name, text]) =>
      (visibleText(text).match(line) ?? ['']).map((part, at) =>
        at === 0 ? `  ${name.padEnd(14)} ${part}\n` : `  ${''.padEnd(14)} … ${part}\n`,
      ),
    )
    .join('');
}
