/** Steps into a JSON document. */
export type Steps = ReadonlyArray<string>;

/** The steps of a reference's fragment that is a JSON Pointer; undefined for another kind of fragment. */
export function stepsOfFragment(fragment: string): Steps | undefined {
  if (fragment !== '' && !fragment.startsWith('/')) return undefined;
  return stepsOf(fragment, decode);
}

/** The steps of a JSON Pointer. */
export function stepsOf(pointer: string, read: (step: string) => string = (step) => step): Steps {
  const steps = pointer.split('/').slice(1);
  return steps.map((step) => read(step).replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** A JSON Pointer as it stands in the fragment of a reference, `#` left out. */
export function fragmentOf(steps: Steps): string {
  return steps.map((step) => `/${encodeURIComponent(escapeStep(step))}`).join('');
}

/** A JSON Pointer as people read it. */
export function pointerOf(steps: Steps): string {
  return steps.map((step) => `/${escapeStep(step)}`).join('');
}

function escapeStep(step: string): string {
  return step.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** A part of a URL without its percent-encoding; as it is where that is malformed. */
export function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
