import type { Violation } from '../../harness/model/evaluation.ts';
import type { Exchange } from '../../harness/model/exchange.ts';

/** The violation by a valid call that was refused though its key was accepted before and after. */
export function refusedForAWhile(exchange: Exchange): Violation {
  return {
    statement: 'A good key was refused for a while',
    expected: 'not 401, as before and after',
    actual: '401 for a while',
    clause: 'for-a-while',
    fix: 'Look for what makes the service refuse keys that it knows. A lockout after failed attempts must not refuse the good keys of the same address: remove it, or limit the attempts with 429. Otherwise look for instances that do not share the keys, and caches that keep a refusal.',
    exchange,
  };
}
