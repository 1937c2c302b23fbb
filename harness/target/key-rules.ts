import { headerValueObjection } from './header-rules.ts';
import type { Objection } from './target-problem.ts';

/** Says why a key cannot be one, without repeating it: it must fit into a header value. */
export function keyObjection(key: string): Objection | undefined {
  if (key === '') return { what: 'the key is empty', remedy: 'give the key, or leave it out' };
  return headerValueObjection('the key', key);
}

/** Says why two keys cannot stand side by side. */
export function keyPairObjection(
  scoped: string | undefined,
  unscoped: string | undefined,
): Objection | undefined {
  if (scoped === undefined || scoped !== unscoped) return undefined;
  return {
    what: 'the unscoped key is the same as the scoped one',
    why: 'the scope can only be tested with a second key that lacks catalog:read',
    remedy: 'give a valid key without catalog:read, or leave the unscoped key out',
  };
}

/** Says why a text cannot be the form in which keys are sent. */
export function authorizationObjection(form: string): Objection | undefined {
  if (!form.includes('{key}')) {
    return {
      what: 'authorization does not contain {key}',
      why: 'it says how a key is written in the Authorization header, {key} standing for it',
      remedy: "write '{key}' for the bare key, or for example 'Bearer {key}'",
    };
  }
  return headerValueObjection('authorization', form);
}
