import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { readPrivateKey, readPublicKey } from '../../harness/certification/signing-key.ts';
import type { RunOptions } from '../../harness/model/run-options.ts';
import { readTextFile } from '../../harness/read-text-file.ts';
import { UsageError } from '../../harness/usage-error.ts';
import type { RunFlags } from '../../spec/options.ts';

const issuer = 'ask its issuer';

/** The private key in the file that a flag names. */
export async function readSigningKeyFile(file: string, flag: string): Promise<KeyObject> {
  return readPrivateKey(await readTextFile(file, `key file of ${flag}`, issuer), flag);
}

/** The public key in the file that a flag names; undefined without the flag. */
export async function readPublicKeyFile(
  file: string | undefined,
  flag: string,
): Promise<KeyObject | undefined> {
  const text = await textOf(file, `key file of ${flag}`);
  return text === undefined ? undefined : readPublicKey(text, flag);
}

/** Reads the PEM files for TLS; before anything is sent, it refuses files with which every handshake would fail. */
export async function readPemFiles({
  ca,
  clientCert,
  clientKey,
}: RunFlags): Promise<Pick<RunOptions, 'ca' | 'clientCert' | 'clientKey'>> {
  if ((clientCert === undefined) !== (clientKey === undefined)) {
    const [given, other] =
      clientKey === undefined ? ['--client-cert', '--client-key'] : ['--client-key', '--client-cert'];
    throw new UsageError({
      where: given,
      what: `${other} is missing`,
      why: 'a client proves with the key that it owns the certificate',
      remedy: `name the PEM file as ${other} too; where one file holds both, name it twice`,
    });
  }
  const texts = {
    ca: await textOf(ca, 'authority file of --ca'),
    clientCert: await textOf(clientCert, 'certificate file of --client-cert'),
    clientKey: await textOf(clientKey, 'key file of --client-key'),
  };
  if (ca !== undefined) certificateIn(texts.ca, ca, '--ca');
  if (clientCert === undefined || clientKey === undefined) return texts;
  const certificate = certificateIn(texts.clientCert, clientCert, '--client-cert');
  if (certificate.checkPrivateKey(keyIn(texts.clientKey, clientKey))) return texts;
  throw new UsageError({
    where: '--client-key',
    what: `${clientKey} is not the key of the certificate in ${clientCert}`,
    remedy: 'name the two that were issued together; in a chain, the client certificate comes first',
  });
}

async function textOf(file: string | undefined, noun: string): Promise<string | undefined> {
  return file === undefined ? undefined : readTextFile(file, noun, issuer);
}

function certificateIn(text: string | undefined, file: string, flag: string): X509Certificate {
  const blocks = text?.match(/-----BEGIN (?:TRUSTED |X509 )?CERTIFICATE-----[^-]*-----END [^-]*-----/g) ?? [];
  const [first] = blocks.map((block) => {
    try {
      return new X509Certificate(block);
    } catch {
      throw notPem(file, flag, 'a certificate in it cannot be read');
    }
  });
  if (first === undefined) throw notPem(file, flag, 'it has no line -----BEGIN CERTIFICATE-----');
  return first;
}

function keyIn(text: string | undefined, file: string): KeyObject {
  const flag = '--client-key';
  if (/ENCRYPTED/.test(text ?? '')) {
    throw new UsageError({
      where: flag,
      what: `the key in ${file} is encrypted`,
      why: 'a pipeline cannot ask for its passphrase',
      remedy: `write it without one: openssl pkey -in ${file} -out client-key.pem`,
    });
  }
  try {
    return createPrivateKey(text ?? '');
  } catch {
    throw notPem(file, flag, 'it has no readable private key');
  }
}

function notPem(file: string, flag: string, why: string): UsageError {
  const isKey = flag === '--client-key';
  return new UsageError({
    where: flag,
    what: `${file} is not the PEM file of a ${isKey ? 'private key' : 'certificate'}`,
    why,
    remedy: isKey
      ? 'a .p12 file is unpacked with: openssl pkcs12 -in FILE -nocerts -nodes -out client-key.pem'
      : 'a DER file (.cer, .der) is rewritten with: openssl x509 -inform der -in FILE -out cert.pem',
  });
}
