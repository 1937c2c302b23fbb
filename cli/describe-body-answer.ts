import type { BodyAnswer } from '../harness/target/ask-for-bodies.ts';
import { escapeText } from '../reporters/model/escape.ts';

/** What the target said to a body, as one line for the person who has to write a valid one. */
export function describeBodyAnswer({ sent, status, says }: BodyAnswer): string {
  const words = says === '' ? `answers ${status}` : `answers ${status}: ${escapeText(says)}`;
  return `to ${escapeText(JSON.stringify(sent))} the service ${words}`;
}
