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

const failureKinds: Readonly<Record<string, FailureKind>> = {
  ENOTFOUND: 'name-not-found',
  EAI_AGAIN: 'name-not-found',
  ECONNREFUSED: 'refused',
  EHOSTUNREACH: 'refused',
  ENETUNREACH: 'refused',
  EACCES: 'refused',
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  UND_ERR_HEADERS_TIMEOUT: 'timeout',
  UND_ERR_BODY_TIMEOUT: 'timeout',
  ETIMEDOUT: 'timeout',
  ECONNRESET: 'reset',
  EPIPE: 'reset',
  UND_ERR_SOCKET: 'reset',
  UND_ERR_ABORTED: 'interrupted',
  UND_ERR_DESTROYED: 'interrupted',
  UND_ERR_CLOSED: 'interrupted',
};

/** What an error of a request was, in words that name no credentials. */
export function describeFailure(error: Error): { readonly kind: FailureKind; readonly message: string } {
  if (error instanceof ConnectionFailure) return { kind: error.kind, message: error.message };
  const cause = (error as AggregateError).errors?.[0] ?? error;
  const code = String((cause as NodeJS.ErrnoException).code ?? '');
  // What OpenSSL says stands in a member of its own, without numbers and places in its source.
  const { reason } = cause as { readonly reason?: string };
  const isOpenssl = reason !== undefined && code.startsWith('ERR_SSL_');
  // undici asserts what it takes for granted, in words of its own.
  const said = cause.name === 'AssertionError' ? 'the answer is not one of HTTP' : cause.message;
  const message = isOpenssl ? `TLS: ${reason}` : said;
  return { kind: failureKinds[code] ?? (isTls(code) ? 'tls' : 'malformed-response'), message };
}

/** Whether the target refuses the protocol of the connection, so that nothing was sent. */
export function refusesProtocol(error: Error): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return error instanceof ProtocolRefused || code === 'ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL';
}

/** Whether the request itself cannot be written as HTTP, which is nothing that the target did. */
export function isUnsendable(error: Error): boolean {
  return ['UND_ERR_INVALID_ARG', 'UND_ERR_NOT_SUPPORTED'].includes(
    (error as NodeJS.ErrnoException).code ?? '',
  );
}

function isTls(code: string): boolean {
  return /^(?:ERR_(?:TLS|SSL)|CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|EPROTO|HOSTNAME_MISMATCH)/.test(code);
}
