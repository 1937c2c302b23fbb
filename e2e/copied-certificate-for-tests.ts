import { hash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { canonicalJson, enclose, serialiseEnvelope } from '../harness/certification/envelope.ts';
import { namedKey, readPrivateKey } from '../harness/certification/signing-key.ts';
import { statementOf } from '../harness/certification/statement.ts';
import { parseEvidence } from '../harness/evidence/evidence-log-for-tests.ts';
import { traceParentOf } from '../harness/requests/request-builder.ts';
import { parseReport } from '../reporters/json/write-report.ts';
import { type CertifiedTexts, owner, statementIn } from './certified-run-for-tests.ts';

/**
 * Writes the certificate of a run as if it were that of another run against the same service at another host: with
 * other request ids, and signed. Only a challenge would show it.
 */
export async function writeCopy(
  entry: string,
  { certificate = '', report = '', evidence = '' }: CertifiedTexts,
  { host, runId }: { readonly host: string; readonly runId: string },
): Promise<void> {
  const { predicate } = statementIn(certificate);
  const { host: from } = new URL(predicate.url);
  // A proxy's header names the port alone. Request ids hold a long run id without its second half.
  const moved = (text: string): string =>
    text
      .replaceAll(from, host)
      .replaceAll(`${portOf(from)}, ${portOf(from)}`, `${portOf(host)}, ${portOf(host)}`)
      .replaceAll(`${predicate.run.id.slice(0, 28)}-`, `${runId.slice(0, 28)}-`)
      .replaceAll(predicate.run.id, runId);
  // Trace ids follow from request ids.
  const traces = new Map(
    [...evidence.matchAll(/"x-request-id","value":"([^"]+)"/g)].map(([, id = '']) => [
      traceParentOf(id),
      traceParentOf(moved(id)),
    ]),
  );
  const texts = {
    report: moved(report),
    evidence: moved(evidence).replace(
      /\b00-[0-9a-f]{32}-[0-9a-f]{16}-01\b/g,
      (trace) => traces.get(trace) ?? trace,
    ),
  };
  const key = readPrivateKey(owner.privatePem, 'test');
  const statement = statementOf({
    report: parseReport(texts.report),
    run: parseEvidence(texts.evidence).run,
    digests: { report: hash('sha256', texts.report), evidence: hash('sha256', texts.evidence) },
    issuedAt: predicate.issuedAt,
    expiresAt: predicate.expiresAt,
    signer: namedKey(key),
  });
  await mkdir(entry, { recursive: true });
  await writeFile(join(entry, 'certificate.json'), serialiseEnvelope(enclose(canonicalJson(statement), key)));
  await writeFile(join(entry, 'report.json'), texts.report);
  await writeFile(join(entry, 'evidence.har'), texts.evidence);
}

function portOf(host: string): string {
  return new URL(`http://${host}`).port;
}
