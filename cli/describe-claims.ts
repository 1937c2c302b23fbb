import type { Claims } from '../harness/certification/claims.ts';
import { escapeText } from '../reporters/model/escape.ts';

const widest = 300;
/** Warnings that are printed. */
const mostWarnings = 20;

/** The claims of a certificate with their names, as a list of name and text. */
export function namedClaims(claims: Claims): ReadonlyArray<readonly [string, string]> {
  const { connection, window, spotCheck, warnings } = claims;
  return [
    ...(claims.development
      ? ([['DEVELOPMENT', 'a rehearsal; proves nothing about a product']] as const)
      : []),
    ['vendor', claims.vendor ?? 'not named'],
    ['product', claims.product ?? 'not named'],
    ['base URL', claims.baseUrl],
    ['subject', `sha256:${claims.subject}`],
    ['connection', connection === null ? 'direct' : JSON.stringify(connection)],
    ...(claims.peers?.addresses.length ? [['addresses', claims.peers.addresses.join(', ')] as const] : []),
    ...(claims.peers?.certificates ?? []).map(
      (one) =>
        [
          'TLS',
          `sha256:${one.sha256} for ${one.names}, issued by ${one.issuer}, until ${one.validUntil}`,
        ] as const,
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
    ['options', JSON.stringify(claims.options)],
    ['exclusions', claims.exclusions.map((one) => one.class).join(', ') || 'none'],
    ['custom checks', claims.customChecks.join(', ') || 'none'],
    ['passed', `${claims.passedTests} tests`],
    ['not tested', `${claims.untestedTests} tests`],
    ['warnings', String(warnings.length)],
    ...warnings
      .slice(0, mostWarnings)
      .map(({ test, requirement, message }) => ['', `${requirement} ${test}: ${message}`] as const),
    ['signed by', claims.signer ?? 'nobody'],
    ['challenged by', claims.owner ?? 'nobody'],
    [
      'spot check',
      spotCheck === null
        ? 'none'
        : `${spotCheck.startedAt}, ${spotCheck.repeated} cases on ${spotCheck.operations} operations, ${spotCheck.differences.length} differences`,
    ],
  ];
}

/** The claims of a certificate as lines of text. */
export function describeClaims(claims: Claims): string {
  return namedClaims(claims)
    .map(([name, text]) => `  ${name.padEnd(14)} ${escapeText(text, widest)}\n`)
    .join('');
}
