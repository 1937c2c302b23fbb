import type { KeyObject } from 'node:crypto';
import { compileSchema, type Validation } from '../../spec/json-schema.ts';
import { certificateFormat, OtherFormatVersion, requireFormatVersion } from '../format-version.ts';
import { type Envelope, payloadText, readNamedKey, serialiseEnvelope } from './envelope.ts';
import type { Statement } from './statement.ts';

/** What certificate.json holds, or in a sentence each why it is no certificate. */
export type ReadCertificate =
  | {
      readonly ok: true;
      readonly envelope: Envelope;
      /** The payload as it was signed. */
      readonly payload: string;
      readonly statement: Statement;
      /** The key that the statement names; undefined where it is to be unsigned. */
      readonly signer: KeyObject | undefined;
    }
  | {
      readonly ok: false;
      readonly problems: readonly string[];
      /** Another version of the harness may read it. */
      readonly isOtherVersion?: boolean;
    };

let compiled: ((value: unknown) => Validation<Envelope | Statement>) | undefined;

/** Reads the text of certificate.json, and trusts nothing in it. */
export function readCertificate(text: string): ReadCertificate {
  try {
    const envelope = parsed(text);
    if (!('payloadType' in envelope)) return wrong('is no DSSE envelope');
    if (serialiseEnvelope(envelope) !== text) return wrong('is not as the harness writes it');
    const payload = payloadText(envelope);
    const statement = parsed(payload);
    if (!('predicate' in statement)) return wrong('holds no in-toto statement');
    const { signer } = statement.predicate;
    return {
      ok: true,
      envelope,
      payload,
      statement,
      signer: signer === undefined ? undefined : readNamedKey(signer),
    };
  } catch (error) {
    return { ...wrong((error as Error).message), isOtherVersion: error instanceof OtherFormatVersion };
  }
}

function parsed(text: string): Envelope | Statement {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Error('is not whole JSON');
  }
  const isStatement = typeof value === 'object' && value !== null && 'predicate' in value;
  // Of another version, its schema may be another.
  if (isStatement) {
    const { predicate } = value as { readonly predicate: { readonly formatVersion?: unknown } | null };
    requireFormatVersion(predicate?.formatVersion, certificateFormat);
  }
  compiled ??= compileSchema('certificate.schema.json');
  const validation = compiled(value);
  if (validation.ok) return validation.value;
  // Of the two forms it may have, the one whose members it has.
  const [error] = validation.errors.filter(
    ({ schemaPath }) => schemaPath.includes('statement') === isStatement,
  );
  throw new Error(`is not valid: ${error?.instancePath || '/'} ${error?.message ?? 'is of another form'}`);
}

function wrong(problem: string): ReadCertificate & { readonly ok: false } {
  return { ok: false, problems: [problem] };
}
