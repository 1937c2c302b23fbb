import { type Challenge, deriveRun } from '../../certification/challenge.ts';
import type { Envelope } from '../../certification/envelope.ts';
import type { Certificate } from '../../certification/read-certificate.ts';
import { keyIdOf } from '../../certification/signing-key.ts';
import { type CertifiedRun, isDevelopment } from '../../certification/statement.ts';
import { endOf, headerOf, startOf } from '../../evidence/answer.ts';
import type { Exchange } from '../../model/exchange.ts';
import { clockSkew } from './certificate-trust.ts';

/** The data that a challenge is compared with. */
type Challenged = Pick<Certificate, 'statement' | 'signer'> & Pick<CertifiedRun, 'report' | 'run'>;

/** Differences between a challenge and the run that claims to answer it, in a sentence each. */
export function challengeProblems(
  envelope: Envelope,
  challenge: Challenge,
  { statement, signer, report, run }: Challenged,
): readonly string[] {
  const problems: string[] = [];
  const { predicate } = statement;
  const object = (problem: string): void => {
    problems.push(`challenge: ${problem}`);
  };
  for (const name of ['vendor', 'product'] as const) {
    if (predicate[name] !== challenge[name])
      object(`it is for the ${name} ${challenge[name]}, and the certificate names ${predicate[name]}`);
  }
  if (run.target.baseUrl !== challenge.baseUrl)
    object(`it is for ${challenge.baseUrl}, and the run tested ${run.target.baseUrl}`);
  const { name, version } = challenge.harness;
  if (run.harness.name !== name || run.harness.version !== version)
    object(`it requires ${name} ${version}, and the run used ${run.harness.name} ${run.harness.version}`);
  if (isDevelopment(report) !== challenge.development)
    object('it and the run differ in whether this is a development certificate');
  const derived = deriveRun(envelope);
  if (run.options.seed !== derived.seed) object('the seed of the run does not derive from its nonce');
  if (run.id !== derived.id || run.shards !== undefined)
    object('the run id, and so every request id, does not derive from its nonce');
  if (signer === undefined) object('an unsigned certificate cannot answer it');
  else if (challenge.vendorKey !== undefined && challenge.vendorKey !== keyIdOf(signer))
    object(`it requires the vendor key ${challenge.vendorKey}, and ${keyIdOf(signer)} signed`);
  if (signer !== undefined && keyIdOf(signer) === challenge.owner.keyid)
    object('its owner and the vendor have the same key');
  const began = Date.parse(report.run.startedAt);
  const ended = began + report.run.durationMs;
  if (
    !(
      began >= Date.parse(challenge.notBefore) - clockSkew &&
      ended <= Date.parse(challenge.notAfter) + clockSkew
    )
  )
    object(
      `the run of ${report.run.startedAt} is outside its window, ${challenge.notBefore} to ${challenge.notAfter}`,
    );
  return problems;
}

/** Milliseconds by which a service's clock may differ. */
const tolerance = 600_000;
/** Share of responses with another date that a cache may answer with. */
const cachedShare = 0.2;

/**
 * Whether the `Date` headers of the responses contradict the recorded times. Cached responses keep the date of their
 * origin, so a few old dates prove nothing; a date in the future does.
 */
export async function dateHeaderProblems(exchanges: AsyncIterable<Exchange>): Promise<readonly string[]> {
  let dated = 0;
  let older = 0;
  let newer = 0;
  for await (const exchange of exchanges) {
    const date = Date.parse(headerOf(exchange, 'date') ?? '');
    if (!Number.isFinite(date)) continue;
    const began = startOf(exchange);
    const age = headerOf(exchange, 'age') ?? '';
    dated += 1;
    if (date + (Number.parseInt(age, 10) || 0) * 1_000 < began - tolerance) older += 1;
    if (date > endOf(exchange) + tolerance) newer += 1;
  }
  const wrong = older + newer;
  if (newer === 0 && wrong <= dated * cachedShare) return [];
  return [
    `evidence.har: the Date headers of ${wrong} of ${dated} responses contradict the recorded times by more than ${tolerance / 60_000} minutes`,
  ];
}
