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

test.each([
  [
    'must',
    `SURFACE-1 SURFACE-2 STATUS-1 SUCCESS-1 SUCCESS-2 SUCCESS-3 SUCCESS-4 AUTH-1 AUTH-2 AUTH-3
     AUTH-4 AUTH-5 SCOPE-1 SCOPE-2 SCOPE-3 ERROR-1 ERROR-2 ERROR-3 REQUEST-1 REQUEST-2 REQUEST-3
     RESOURCE-1 RESOURCE-2 SESSION-1 SESSION-2 SESSION-4 LOGIN-1 CLIENT-1 RATE-1 RATE-2`,
  ],
  ['should', 'SUCCESS-5 SESSION-3 SESSION-5 LOGIN-2 CLIENT-2 HYGIENE-1 HYGIENE-2 HYGIENE-3'],
  ['info', 'RATE-3 HYGIENE-4'],
])('holds these requirements at the level %s, on which certificates and baselines rely', (level, ids) => {
  const held = requirements.flatMap((one) => (one.level === level ? one.id : []));
  expect(held).toEqual(expect.arrayContaining(ids.split(/\s+/)));
});

test('no id is given twice', () => {
  expect(new Set(requirements.map(({ id }) => id)).size).toBe(requirements.length);
});

test('holds exactly these clauses, each with a level of its own', () => {
  const clauses = requirements.flatMap(({ id, level, clauses }) =>
    Object.entries(clauses).map(([name, clause]) => `${id} ${level}: ${name} ${clause.level}`),
  );
  expect(clauses).toEqual([
    'SURFACE-1 must: unanswered should',
    'SURFACE-2 must: further-statuses should',
    'SURFACE-2 must: only-warned should',
    'STATUS-1 must: blocked-in-front should',
    'STATUS-1 must: leads-elsewhere should',
    'SUCCESS-2 must: undocumented-operation should',
    'SUCCESS-4 must: spoiled should',
    'AUTH-4 must: for-a-while must',
    'ERROR-1 must: refused-in-front should',
    'ERROR-2 must: unusual-shape should',
    'REQUEST-2 must: lenient-reader should',
    'REQUEST-2 must: blocked-in-front should',
    'REQUEST-3 must: non-object-body should',
    'RESOURCE-1 must: below-unknown-store should',
    'RESOURCE-1 must: decoded-twice should',
    'RESOURCE-2 must: blocked-in-front should',
    'RESOURCE-2 must: encoded-known should',
    'RESOURCE-2 must: not-encoded should',
    'SESSION-1 must: late info',
    'SESSION-2 must: at-once should',
    'SESSION-2 must: cancelled-shown should',
    'SESSION-3 should: never-shown must',
    'SESSION-3 should: read-before-cancel must',
    'SESSION-3 should: not-modified must',
    'SESSION-3 should: another-session must',
    'SESSION-4 must: after-400 should',
    'SESSION-5 should: shared-id must',
    'LOGIN-2 should: at-once should',
    'CLIENT-1 must: blocked-in-front should',
    'CLIENT-1 must: coding-of-no-weight should',
    'CLIENT-1 must: whole-address info',
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
  ['a clause without titles', { ...row, clauses: { weaker: { level: 'should' } } }, '/0/clauses/weaker'],
  ['a field that is not one', { ...row, excuded: 'nobody can force it' }, '/0'],
  ['a missing rationale', { ...row, rationale: undefined }, '/0'],
])('the schema rejects %s', (_, broken, path) => {
  const result = validate(JSON.parse(JSON.stringify([broken])));
  expect(result.ok ? [] : result.errors.map((error) => error.instancePath)).toContain(path);
});
