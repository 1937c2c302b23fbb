/** Names that speak of what must not be known. */
const telling = /auth|token|secret|key|cookie|pass|bypass|credential|signature|assertion|jwt|session/i;
const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;
/** Characters below which a value that only looks like a token, or stood in the environment, is taken for a word. */
const leastToken = 8;

/**
 * Whether the value of a header that every request carries is kept out of all that is written. What is not a secret must
 * not be taken for one: it would be missing from the bodies that the checks read.
 */
export function isSecretHeader(name: string, value: string, fromEnvironment: boolean): boolean {
  if (telling.test(name)) return true;
  if (fromEnvironment) return value.length >= leastToken;
  const looksRandom = /^[\w.~+/=-]{16,}$/.test(value) && /\d/.test(value) && /[a-z]/i.test(value);
  return looksRandom && !uuid.test(value);
}
