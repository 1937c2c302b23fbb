import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { Operation } from '../../spec/contract.ts';
import { packageRoot } from '../../spec/package-root.ts';
import type { Members, OpenApiDocument } from '../model/supplied-document.ts';
import { type Changeable, isMembers } from './place.ts';

let contract: string | undefined;

/** A fresh copy of spec/openapi.yaml, which differs from the contract in nothing. */
export function contractAsDocument(): Changeable {
  // Written out: aliases of YAML are one object, of which a change would show everywhere.
  contract ??= JSON.stringify(parse(readFileSync(join(packageRoot, 'spec', 'openapi.yaml'), 'utf8')));
  return JSON.parse(contract) as Changeable;
}

/** The object at the end of these names; throws where there is none. */
export function at(content: unknown, ...names: readonly string[]): Changeable {
  let value = content;
  for (const name of names) value = isMembers(value) ? value[name] : undefined;
  if (!isMembers(value)) throw new Error(`there is nothing at ${names.join(' ')}`);
  return value as Changeable;
}

/** The content as a document that was loaded. */
export function documentOf(content: Members): OpenApiDocument {
  const version = String(content['openapi']);
  return { source: 'openapi.yaml', digest: 'sha256:', version, defects: [], content };
}

/** An operation that the documents of tests describe. */
export function operationForTests(parts: Partial<Operation> = {}): Operation {
  return {
    id: 'createThing',
    idIsOurs: false,
    method: 'POST',
    path: '/api/v1/things',
    pathParameters: [],
    group: 'hosted',
    auth: 'api-key',
    statuses: [200, 400, 401, 403, 404, 409, 429],
    ...parts,
  };
}

/** A document with one operation, whose request and 200 body have the schema Thing. */
export function documentWithThing(thing: unknown, version = '3.1.0', schemas: Members = {}): OpenApiDocument {
  const content = { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } } };
  return documentOf({
    openapi: version,
    info: { title: 'Test', version: '1' },
    paths: {
      '/api/v1/things': {
        post: { requestBody: { content }, responses: { '200': { description: 'a thing', content } } },
      },
    },
    components: { schemas: { Thing: thing, ...schemas } },
  });
}
