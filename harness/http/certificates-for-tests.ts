import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../spec/package-root.ts';

/** A certificate and its key as PEM. */
export interface MadeCertificate {
  readonly cert: string;
  readonly key: string;
}

/** One of fixtures/testing/certificates, which are valid until the end of 2049. */
function made(name: string): MadeCertificate {
  const pem = readFileSync(join(packageRoot, 'fixtures/testing/certificates', `${name}.pem`), 'utf8');
  const [cert = '', key = ''] = pem.split(/(?=-----BEGIN PRIVATE)/);
  return { cert, key };
}

type CertificateName = 'authority' | 'server' | 'client' | 'stranger' | 'elsewhere' | 'expired';

/**
 * An authority, and what it issued: certificates of a server on loopback and of a client, of a server elsewhere, and of one
 * whose time is over. That of a stranger is from another authority.
 */
export const certificates: Readonly<Record<CertificateName, MadeCertificate>> = {
  authority: made('authority'),
  server: made('server'),
  client: made('client'),
  stranger: made('stranger'),
  elsewhere: made('elsewhere'),
  expired: made('expired'),
};
