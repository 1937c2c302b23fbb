import { isIP } from 'node:net';
import { checkServerIdentity, type PeerCertificate } from 'node:tls';
import type { Peers } from '../model/report.ts';
import { isLoopbackUrl } from './loopback-url.ts';

/** A service, and whom the connections of its run reached. */
export interface ReachedPeers {
  readonly baseUrl: string;
  readonly peers: Peers | undefined;
  /** Whether a proxy or a socket stood between, so that addresses are not the service's. */
  readonly isIndirect: boolean;
}

/** Contradictions between a base URL and the addresses and certificates that its run recorded. */
export function peerProblems({ baseUrl, peers, isIndirect }: ReachedPeers): readonly string[] {
  const { protocol, hostname } = new URL(baseUrl);
  const host = hostname.replace(/^\[|\]$/g, '');
  const problems: string[] = [];
  if (!isIndirect && (peers === undefined || peers.addresses.length === 0))
    problems.push('it does not say which addresses the connections reached');
  for (const address of isIndirect ? [] : (peers?.addresses ?? [])) {
    if (isLoopbackUrl(baseUrl) === isLoopbackAddress(address) && (isIP(host) === 0 || isAt(address, host)))
      continue;
    problems.push(`the base URL names ${host}, and a connection reached ${address}`);
  }
  if (protocol !== 'https:') return problems;
  const certificates = peers?.certificates ?? [];
  if (certificates.length === 0)
    problems.push('the base URL is https:, and no server certificate is recorded');
  for (const { names, sha256 } of certificates) {
    const [, subject] = /^CN:(.*)$/.exec(names) ?? [];
    const shown = {
      subject: { CN: subject ?? '' },
      subjectaltname: subject === undefined ? names : undefined,
    };
    if (checkServerIdentity(host, shown as unknown as PeerCertificate) !== undefined)
      problems.push(`the server certificate ${sha256} is not for ${host}`);
  }
  return problems;
}

function isLoopbackAddress(address: string): boolean {
  try {
    return isLoopbackUrl(`http://${address}`);
  } catch {
    return false;
  }
}

function isAt(address: string, host: string): boolean {
  const mapped = address.replace(/^\[::ffff:([\d.]+)\]/, '$1');
  return mapped.startsWith(`${host}:`) || mapped.startsWith(`[${host}]:`);
}
