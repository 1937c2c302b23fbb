import type { Operation } from '../../spec/operation.ts';

/** Follows the checkout sessions that the run creates, so that it can cancel at the end what is still open. */
export class SessionTracker {
  readonly #open = new Set<string>();
  readonly #ended = new Set<string>();
  #anyOpened = false;

  /** Whether a session was ever opened. */
  get anyOpened(): boolean {
    return this.#anyOpened;
  }

  /** Notes what a call did to sessions. */
  follow(
    { role }: Operation,
    call: {
      readonly status: number | undefined;
      /** The session that its path names. */
      readonly sessionId: string | undefined;
      /** The session id in its response; read only where the call creates one. */
      readonly createdId: () => unknown;
    },
  ): void {
    const { status = 0, sessionId = '' } = call;
    if (status < 200 || status >= 300) return;
    if (role === 'ends-session') this.closed(sessionId);
    if (role !== 'creates-session') return;
    const id = call.createdId();
    if (typeof id === 'string' || typeof id === 'number') this.opened(String(id));
  }

  opened(id: string): void {
    this.#anyOpened = true;
    this.#open.add(id);
  }

  closed(id: string): void {
    this.#open.delete(id);
    this.#ended.add(id);
  }

  /** Whether a call of the run ended the session, even if a create has returned it again. */
  hasEnded(id: string): boolean {
    return this.#ended.has(id);
  }

  /** Ids of the sessions that are still open, oldest first. */
  list(): readonly string[] {
    return [...this.#open];
  }
}
