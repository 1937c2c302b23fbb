import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { compileSchema } from './json-schema.ts';
import { packageRoot } from './package-root.ts';
import { citation, loadRequirements } from './requirements.ts';

const requirements = await loadRequirements();
const validate = compileSchema('requirements.schema.json');

const row = {
  id: 'AUTH-9',
  level: 'must',
  title: 'Something holds',
  violation: 'Something does not hold',
  contract: [{ section: 'Authentication', point: 'rule 4' }],
  rationale: 'It matters.',
  fix: 'Correct it.',
  allows: [],
};

test('holds these requirements at these levels, on which certificates and baselines rely', () => {
  expect(Object.fromEntries(requirements.map(({ id, level }) => [id, level]))).toMatchObject({
    'SURFACE-1': 'must',
    'SURFACE-2': 'must',
    'STATUS-1': 'must',
    'SUCCESS-1': 'must',
    'SUCCESS-2': 'must',
    'SUCCESS-3': 'must',
    'SUCCESS-4': 'must',
    'SUCCESS-5': 'should',
    'AUTH-1': 'must',
    'AUTH-2': 'must',
    'AUTH-3': 'must',
    'AUTH-4': 'must',
    'AUTH-5': 'must',
    'SCOPE-1': 'must',
    'SCOPE-2': 'must',
    'SCOPE-3': 'must',
    'ERROR-1': 'must',
    'ERROR-2': 'must',
    'ERROR-3': 'must',
    'REQUEST-1': 'must',
    'REQUEST-2': 'must',
    'REQUEST-3': 'must',
    'RESOURCE-1': 'must',
    'RESOURCE-2': 'must',
    'SESSION-1': 'must',
    'SESSION-2': 'must',
    'SESSION-3': 'should',
    'SESSION-4': 'must',
    'SESSION-5': 'should',
    'LOGIN-1': 'must',
    'LOGIN-2': 'should',
    'CLIENT-1': 'must',
    'CLIENT-2': 'should',
    'RATE-1': 'must',
    'RATE-2': 'must',
    'RATE-3': 'info',
    'HYGIENE-1': 'should',
    'HYGIENE-2': 'should',
    'HYGIENE-3': 'should',
    'HYGIENE-4': 'info',
  });
});

test('no id is given twice', () => {
  expect(new Set(requirements.map(({ id }) => id)).size).toBe(requirements.length);
});

test('holds exactly these clauses, each with a level of its own', () => {
  const clauses = requirements.flatMap(({ id, level, clauses }) =>
    Object.entries(clauses).map(([name, clause]) => `${id} ${level}: ${name} ${clause.level}`),
  );
  expect(clauses).toEqual([
    'SURFACE-2 must: further-statuses should',
    'SURFACE-2 must: only-warned should',
    'STATUS-1 must: blocked-in-front should',
    'SUCCESS-2 must: undocumented-operation should',
    'AUTH-4 must: for-a-while must',
    'ERROR-1 must: refused-in-front should',
    'ERROR-2 must: unusual-shape should',
    'REQUEST-2 must: lenient-reader should',
    'REQUEST-3 must: non-object-body should',
    'RESOURCE-1 must: below-unknown-store should',
    'RESOURCE-2 must: blocked-in-front should',
    'RESOURCE-2 must: not-encoded should',
    'SESSION-2 must: at-once should',
    'SESSION-2 must: cancelled-shown should',
    'SESSION-3 should: never-shown must',
    'SESSION-3 should: read-before-cancel must',
    'SESSION-3 should: another-session must',
    'SESSION-4 must: after-400 should',
    'SESSION-5 should: shared-id must',
    'LOGIN-2 should: at-once should',
  ]);
});

test('cites sections and points', () => {
  const contract = [{ section: 'Authentication', point: 'rule 4' }, { section: 'Errors' }];
  expect(citation({ ...row, level: 'must', clauses: {}, contract })).toBe('Authentication, rule 4; Errors');
});

test('the schema accepts the catalogue and the row that the tests below break', async () => {
  const file = join(packageRoot, 'spec', 'requirements.yaml');
  expect(validate(parse(await readFile(file, 'utf8'))).ok).toBe(true);
  expect(validate([row]).ok).toBe(true);
  expect(validate([{ ...row, excluded: 'nobody can force it' }]).ok).toBe(true);
});

test.each([
  ['an id that is not one', { ...row, id: 'auth-9' }, '/0/id'],
  ['a level that is not one', { ...row, level: 'may' }, '/0/level'],
  ['an empty title', { ...row, title: '' }, '/0/title'],
  ['a missing violation', { ...row, violation: undefined }, '/0'],
  ['no place in the contract', { ...row, contract: [] }, '/0/contract'],
  [
    'a section that the contract lacks',
    { ...row, contract: [{ section: 'Errata' }] },
    '/0/contract/0/section',
  ],
  ['a clause without titles', { ...row, clauses: { weaker: { level: 'should' } } }, '/0/clauses/weaker'],
  ['a field that is not one', { ...row, excuded: 'nobody can force it' }, '/0'],
  ['a missing rationale', { ...row, rationale: undefined }, '/0'],
])('the schema rejects %s', (_, broken, path) => {
  const result = validate(JSON.parse(JSON.stringify([broken])));
  expect(result.ok ? [] : result.errors.map((error) => error.instancePath)).toContain(path);
});
