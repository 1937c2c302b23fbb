import { tried } from './tried.ts';

export type Steps = ReadonlyArray<string>;

/** The steps of a fragment that is a JSON Pointer; undefined for any other fragment. */
export function stepsOfFragment(fragment: string): Steps | undefined {
  if (fragment !== '' && !fragment.startsWith('/')) return undefined;
  return stepsOf(fragment, decode);
}

export function stepsOf(pointer: string, read: (step: string) => string = (step) => step): Steps {
  const steps = pointer.split('/').slice(1);
  return steps.map((step) => read(step).replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** A JSON Pointer as the fragment of a reference, without `#`. */
export function fragmentOf(steps: Steps): string {
  return steps.map((step) => `/${encodeURIComponent(escapeStep(step))}`).join('');
}

/** A JSON Pointer as people read it. */
export function pointerOf(steps: Steps): string {
  return steps.map((step) => `/${escapeStep(step)}`).join('');
}

export function escapeStep(step: string): string {
  return step.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** Decodes a part of a URL; leaves it as it is if its percent-encoding is malformed. */
export function decode(part: string): string {
  return tried(decodeURIComponent, part) ?? part;
}
