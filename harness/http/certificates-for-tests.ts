import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { isIP } from 'node:net';

/** A certificate and its key as PEM, able to issue others where it is an authority. */
export interface MadeCertificate {
  readonly cert: string;
  readonly key: string;
  readonly name: string;
  readonly privateKey: KeyObject;
}

/** What a certificate says; signed by itself where no issuer is named. */
export interface CertificateWishes {
  readonly name: string;
  readonly issuer?: MadeCertificate;
  /** Host names and addresses. */
  readonly hosts?: readonly string[];
  readonly isAuthority?: boolean;
  /** Days from now; may be in the past. */
  readonly endsInDays?: number;
}

const day = 86_400_000;

/** Makes a certificate with nothing but node: an X.509 v3 structure in DER, signed by ECDSA with SHA-256. */
export function makeCertificate(wishes: CertificateWishes): MadeCertificate {
  const { name, issuer, hosts = [], isAuthority = false, endsInDays = 30 } = wishes;
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const extensions = [
    extension('551d13', sequence(...(isAuthority ? [tlv(0x01, Buffer.from([0xff]))] : []))),
    ...(hosts.length === 0 ? [] : [extension('551d11', sequence(...hosts.map(alternativeName)))]),
  ];
  const body = sequence(
    tlv(0xa0, integer(2)),
    tlv(0x02, Buffer.concat([Buffer.from([0x01]), randomBytes(8)])),
    ecdsaWithSha256,
    nameOf(issuer?.name ?? name),
    sequence(time(Math.min(0, endsInDays) - 1), time(endsInDays)),
    nameOf(name),
    publicKey.export({ type: 'spki', format: 'der' }),
    tlv(0xa3, sequence(...extensions)),
  );
  const signature = sign('sha256', body, issuer?.privateKey ?? privateKey);
  const der = sequence(body, ecdsaWithSha256, tlv(0x03, Buffer.from([0]), signature));
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${der.toString('base64').replaceAll(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    name,
    privateKey,
  };
}

function tlv(tag: number, ...contents: readonly Buffer[]): Buffer {
  const content = Buffer.concat(contents);
  const { length } = content;
  const head =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...head]), content]);
}

function sequence(...contents: readonly Buffer[]): Buffer {
  return tlv(0x30, ...contents);
}

function integer(value: number): Buffer {
  return tlv(0x02, Buffer.from([value]));
}

function oid(hex: string): Buffer {
  return tlv(0x06, Buffer.from(hex, 'hex'));
}

const ecdsaWithSha256 = sequence(oid('2a8648ce3d040302'));

function nameOf(text: string): Buffer {
  return sequence(tlv(0x31, sequence(oid('550403'), tlv(0x0c, Buffer.from(text)))));
}

function time(inDays: number): Buffer {
  const instant = new Date(Date.now() + inDays * day).toISOString();
  return tlv(0x17, Buffer.from(`${instant.slice(2, 19).replaceAll(/[-:T]/g, '')}Z`));
}

function extension(id: string, value: Buffer): Buffer {
  return sequence(oid(id), tlv(0x04, value));
}

function alternativeName(host: string): Buffer {
  return isIP(host) === 4
    ? tlv(0x87, Buffer.from(host.split('.').map(Number)))
    : tlv(0x82, Buffer.from(host));
}
