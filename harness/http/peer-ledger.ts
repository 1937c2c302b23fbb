import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { buildConnector } from 'undici';
import type { Peers, ServerCertificate } from '../model/report.ts';

/** Addresses and certificates that are kept. */
const most = 20;
/** Characters of the names in one certificate. */
const longest = 20_000;

/** Notes whom the connections of a run reached. */
export class PeerLedger {
  readonly #addresses = new Set<string>();
  readonly #certificates = new Map<string, ServerCertificate>();

  /** The addresses and server certificates so far. */
  get peers(): Peers {
    return { addresses: [...this.#addresses].sort(), certificates: [...this.#certificates.values()] };
  }

  /** A connector whose connections are noted. */
  watch(connect: buildConnector.connector): buildConnector.connector {
    return (options, callback) =>
      connect(options, (...result) => {
        const [, socket] = result;
        // After an error, undici passes no second argument.
        if (socket != null) this.#note(socket);
        callback(...result);
      });
  }

  #note(socket: Socket | TLSSocket): void {
    const { remoteAddress, remotePort } = socket;
    if (remoteAddress !== undefined && this.#addresses.size < most)
      this.#addresses.add(
        `${remoteAddress.includes(':') ? `[${remoteAddress}]` : remoteAddress}:${remotePort}`,
      );
    if (!('getPeerCertificate' in socket) || this.#certificates.size >= most) return;
    const {
      fingerprint256,
      subject,
      subjectaltname,
      issuer,
      valid_to: validTo,
    } = socket.getPeerCertificate();
    if (fingerprint256 === undefined) return;
    this.#certificates.set(fingerprint256, {
      sha256: fingerprint256.replaceAll(':', '').toLowerCase(),
      names: (subjectaltname ?? `CN:${String(subject?.CN)}`).slice(0, longest),
      issuer: String(issuer?.O ?? issuer?.CN ?? '').slice(0, longest),
      validUntil: new Date(validTo).toISOString(),
    });
  }
}
