import { setTimeout } from 'node:timers/promises';
import type { Exchange } from '../model/exchange.ts';
import { unlessInconclusive } from '../requests/inconclusive-error.ts';
import { CaseClient } from './case-client.ts';
import type { RunContext } from './run-context.ts';

type Creator = Pick<Exchange['case'], 'check' | 'operation'>;

const nameOf = ({ check, operation }: Creator): string => `${check} ${operation}`;

/** Tracks the checkout sessions that the run creates, so that it can cancel open ones at the end. */
export class SessionTracker {
  readonly #open = new Set<string>();
  readonly #ended = new Set<string>();
  /** The cases whose creates returned a session, by its id. */
  readonly #creators = new Map<string, Set<string>>();
  /** The bodies of their creates, by id. */
  readonly #bodies = new Map<string, string>();
  /** The newest session by the body of its create. */
  readonly #newest = new Map<string, string>();
  #hasReturnedOne = false;
  #hasKeptEqual = false;
  /** The target has refused a create, perhaps because of those that were open: cases on sessions make room, and run alone. */
  areFew = false;

  get anyOpened(): boolean {
    return this.#creators.size > 0;
  }

  /** Whether cases may create sessions while another one has some open: the target has kept equal ones beside each other. */
  get areApart(): boolean {
    return this.#hasKeptEqual && !this.#hasReturnedOne && !this.areFew;
  }

  opened(id: string, by: Creator, body: string): void {
    this.#hasReturnedOne ||= this.#creators.has(id);
    this.#bodies.set(id, body);
    this.#newest.set(body, id);
    this.#creators.set(id, new Set(this.#creators.get(id)).add(nameOf(by)));
    this.#open.add(id);
  }

  closed(id: string): void {
    const body = this.#bodies.get(id);
    // A read may show a session that the create of an equal one has ended.
    this.#hasKeptEqual ||= body !== undefined && !this.#ended.has(id) && this.#newest.get(body) !== id;
    this.#open.delete(id);
    this.#ended.add(id);
  }

  /** Whether a call of the run ended the session, even if a create has returned it again. */
  hasEnded(id: string): boolean {
    return this.#ended.has(id);
  }

  /** Whether a create of another case than this one returned the session. */
  isShared(id: string, by: Creator): boolean {
    return [...(this.#creators.get(id) ?? [])].some((creator) => creator !== nameOf(by));
  }

  /** Ids of the sessions that are still open, oldest first. */
  list(): readonly string[] {
    return [...this.#open];
  }
}

/** Milliseconds that an interrupted run spends on it: within those after which it is terminated. */
const longestMs = 500;

export async function cancelOpenSessions(context: RunContext): Promise<void> {
  const cancel = context.contract.withRole('ends-session');
  if (cancel === undefined || context.readOnly) return;
  const cancelled = Promise.all(
    context.sessions.list().map(async (sessionId) => {
      const client = new CaseClient(context, 'cleanup', cancel, context.part);
      try {
        // A session that cannot be cancelled expires by itself.
        await unlessInconclusive(() =>
          client.call({
            role: 'cleanup',
            label: 'cancels what is still open',
            // An interrupted run does not wait for the rate.
            ...(context.interruption.isRequested ? { urgent: true } : {}),
            parameters: { sessionId },
          }),
        );
      } finally {
        await client.close();
      }
    }),
  );
  await (context.interruption.isRequested
    ? Promise.race([cancelled, setTimeout(longestMs, undefined, { ref: false })])
    : cancelled);
}
