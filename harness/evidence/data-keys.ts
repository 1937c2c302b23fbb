/** Names of members that a person could have given: more, or longer ones, are data. */
const mostNames = 100;
const longestName = 64;

const idForms: readonly RegExp[] = [
  /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i,
  /^-?\d+$/,
  /\d{4}-\d{2}-\d{2}/,
  /\d{5}/,
  /^(?=.*\d)[0-9a-f]{12,}$/i,
  /^[A-Za-z]{1,8}_(?=[A-Za-z0-9]*\d)[A-Za-z0-9]{8,}$/,
  /^(?=(?:[^\d]*\d){3})(?=[^A-Z]*[A-Z])(?=[^a-z]*[a-z])[A-Za-z0-9+/=_-]{16,}$/,
  /[\s/]|\S@\S/,
];

const slug = /^[a-z0-9]+(?:-[a-z0-9]+)+$/;

/** Which names of an object's members are data, such as ids or slugs that a map is keyed by, and not names that a schema would have. */
export function dataKeys(value: Readonly<Record<string, unknown>>): (name: string) => boolean {
  const names = Object.keys(value);
  if (names.length > mostNames) return () => true;
  if (names.length > 0 && names.every((name) => slug.test(name) || isId(name)) && isUniform(value))
    return () => true;
  return isId;
}

/** The same few names come with every object, and the forms are slow to try. */
const known = new Map<string, boolean>();
const mostKnown = 2_000;

function isId(name: string): boolean {
  const before = known.get(name);
  if (before !== undefined) return before;
  const is = name.length > longestName || idForms.some((form) => form.test(name));
  if (known.size < mostKnown) known.set(name, is);
  return is;
}

function isUniform(value: Readonly<Record<string, unknown>>): boolean {
  return (
    new Set(Object.values(value).map((item) => (Array.isArray(item) ? 'array' : typeof item))).size === 1
  );
}
