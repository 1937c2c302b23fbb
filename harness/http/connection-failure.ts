import type { FailureKind } from '../model/exchange.ts';

/** A failure whose kind is known where it comes up; its message names no credentials. */
export class ConnectionFailure extends Error {
  readonly kind: FailureKind;

  constructor(kind: FailureKind, message: string) {
    super(message);
    this.name = 'ConnectionFailure';
    this.kind = kind;
  }
}

/** The other side does not take the protocol that was offered; nothing was sent yet. */
export class ProtocolRefused extends ConnectionFailure {
  constructor(protocol: string) {
    super('tls', `the target refuses ${protocol} when TLS is negotiated (ALPN)`);
    this.name = 'ProtocolRefused';
  }
}
