import type { KeyObject } from 'node:crypto';
import { certificateFormat, requireFormatVersion } from '../format-version.ts';
import { tried } from '../tried.ts';
import {
  type CertificateEnvelope,
  payloadText,
  readNamedKey,
  serialiseEnvelope,
  validated,
} from './envelope.ts';
import type { Statement } from './statement.ts';

/** An envelope around an in-toto statement, written as certificate.json; also that statement. */
type CertificateFile = Statement | CertificateEnvelope;

/** The content of certificate.json. */
export interface Certificate {
  readonly envelope: CertificateEnvelope;
  /** The payload as it was signed. */
  readonly payload: string;
  readonly statement: Statement;
  /** The key that the statement names; undefined where it is to be unsigned. */
  readonly signer: KeyObject | undefined;
}

/** Reads the text of certificate.json, and trusts nothing in it; throws an Error that names the defect. */
export function readCertificate(text: string): Certificate {
  const envelope = parsed(text);
  if (!('payloadType' in envelope)) throw new Error('is not a DSSE envelope');
  if (serialiseEnvelope(envelope) !== text) throw new Error('differs from what the harness writes');
  const payload = payloadText(envelope);
  const statement = parsed(payload);
  if (!('predicate' in statement)) throw new Error('contains no in-toto statement');
  const { signer } = statement.predicate;
  return { envelope, payload, statement, signer: signer && readNamedKey(signer) };
}

function parsed(text: string): CertificateFile {
  const value: unknown = tried(JSON.parse, text);
  if (value === undefined) throw new Error('is not complete JSON');
  // Of another version, its schema may be another.
  if (typeof value === 'object' && value !== null && 'predicate' in value) {
    const { predicate } = value as { readonly predicate: { readonly formatVersion?: unknown } | null };
    requireFormatVersion(predicate?.formatVersion, certificateFormat);
  }
  return validated(value, 'certificate.schema.json');
}
