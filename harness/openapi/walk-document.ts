/** Members of OpenAPI and of schemas whose own members are names that an author chose, not keywords. */
const maps = new Set([
  'properties',
  'patternProperties',
  'dependentSchemas',
  '$defs',
  'definitions',
  'schemas',
  'responses',
  'parameters',
  'requestBodies',
  'headers',
  'securitySchemes',
  'links',
  'callbacks',
  'pathItems',
  'paths',
  'webhooks',
  'content',
  'encoding',
  'variables',
  'x-documents',
]);

/** Members that hold values of any form, in which nothing is a keyword. */
const values = new Set(['example', 'default', 'const', 'enum', 'value', 'mapping']);

/** How the members of a value are to be read. */
export type Reading = 'keywords' | 'names' | 'value';

/** How the member of this name is read, within an object that is itself read so. */
export function readingOf(member: string, value: unknown, within: Reading): Reading {
  if (within === 'value') return 'value';
  if (within === 'names') return 'keywords';
  if (values.has(member)) return 'value';
  // In a schema a list of values, elsewhere a map of Example Objects.
  if (member === 'examples') return Array.isArray(value) ? 'value' : 'names';
  return maps.has(member) && !Array.isArray(value) ? 'names' : 'keywords';
}
