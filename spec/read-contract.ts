import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import {
  type ContractData,
  type Operation,
  type OperationRole,
  type ResourceKind,
  sharedResource,
} from './operation.ts';
import { packageRoot } from './package-root.ts';

/** What this project uses of OpenAPI 3.1, with its extensions. */
interface ContractDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>;
  readonly components?: { readonly parameters?: Readonly<Record<string, DocumentedParameter>> };
}

interface DocumentedOperation {
  readonly operationId: string;
  readonly 'x-id-is-ours'?: boolean;
  readonly 'x-not-shown'?: readonly string[];
  readonly 'x-conformance-role'?: OperationRole;
  readonly 'x-conformance-issues'?: string;
  readonly tags: readonly [string];
  readonly security: ReadonlyArray<Readonly<Record<string, readonly string[]>>>;
  readonly parameters?: ReadonlyArray<DocumentedParameter | Reference>;
  readonly requestBody?: DocumentedBody;
  readonly responses: Readonly<Record<string, DocumentedBody>>;
}

interface DocumentedParameter {
  readonly name: string;
  readonly in: string;
  readonly 'x-conformance-names'?: ResourceKind;
}

interface Reference {
  readonly $ref: string;
}

interface DocumentedBody {
  readonly content?: { readonly 'application/json': { readonly schema: Reference } };
}

/** Reads the operations of spec/openapi.yaml, or of another OpenAPI document with its extensions. */
export async function readContract(
  file: string = join(packageRoot, 'spec', 'openapi.yaml'),
): Promise<ContractData> {
  const bytes = await readFile(file);
  const document = parse(bytes.toString()) as ContractDocument;
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => toOperation(document, path, method, operation)),
  );
  return {
    operations: operations.map((operation) => withIssued(withPeers(operation, operations), operations)),
    digest: `sha256:${hash('sha256', bytes)}`,
  };
}

function toOperation(
  document: ContractDocument,
  path: string,
  method: string,
  operation: DocumentedOperation,
): Operation {
  const [scope] = Object.values(operation.security[0] ?? {})[0] ?? [];
  const requestSchema = operation.requestBody && schemaName(operation.requestBody);
  const responseSchema = schemaName(operation.responses['200']);
  const kinds = (operation.parameters ?? [])
    .map((parameter) => resolve(document, parameter))
    .flatMap(({ name, 'x-conformance-names': kind }) => (kind === undefined ? [] : [[name, kind] as const]));
  const role = operation['x-conformance-role'];
  const issues = operation['x-conformance-issues'];
  return {
    id: operation.operationId,
    idIsOurs: operation['x-id-is-ours'] ?? false,
    method: method.toUpperCase(),
    path,
    pathParameters: Array.from(path.matchAll(/\{(\w+)\}/g), ([, name = '']) => name),
    ...(kinds.length > 0 && { parameterKinds: Object.fromEntries(kinds) }),
    ...(operation['x-not-shown']?.includes('query parameters') && { queryNotShown: true }),
    group: operation.tags[0],
    auth: operation.security.length === 0 ? 'none' : 'api-key',
    ...(scope !== undefined && { scope }),
    ...(requestSchema !== undefined && { requestSchema }),
    ...(responseSchema !== undefined && { responseSchema }),
    statuses: Object.keys(operation.responses).map(Number),
    ...(role !== undefined && { role }),
    ...(issues !== undefined && { issues }),
  };
}

function resolve(
  { components }: ContractDocument,
  parameter: DocumentedParameter | Reference,
): DocumentedParameter {
  if (!('$ref' in parameter)) return parameter;
  const found = components?.parameters?.[nameOf(parameter)];
  if (found === undefined) throw new Error(`${parameter.$ref} is not in the document`);
  return found;
}

function withPeers(operation: Operation, all: readonly Operation[]): Operation {
  const resource = sharedResource(operation);
  if (resource === undefined) return operation;
  const peers = all.filter((other) => sharedResource(other) === resource);
  return { ...operation, peers: Object.fromEntries(peers.map(({ role, id }) => [role, id])) };
}

function withIssued(operation: Operation, all: readonly Operation[]): Operation {
  const issued = operation.pathParameters.filter((name) => all.some(({ issues }) => issues === name));
  return issued.length === 0 ? operation : { ...operation, takesIssued: issued };
}

function schemaName(body: DocumentedBody | undefined): string | undefined {
  const schema = body?.content?.['application/json'].schema;
  return schema && nameOf(schema);
}

function nameOf({ $ref }: Reference): string {
  return $ref.slice($ref.lastIndexOf('/') + 1);
}
