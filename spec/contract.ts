import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { builtOr } from './built.ts';
import { packageRoot } from './package-root.ts';

/** How an operation is authenticated; `api-key` is a key in the Authorization header. */
export type OperationAuth = 'none' | 'api-key';

/** The four groups in which the contract presents its operations. */
export type OperationGroup = 'storefront' | 'installation' | 'hosted' | 'catalog';

/** One of the 25 operations, as far as the contract fixes it. */
export interface Operation {
  readonly id: string;
  /** The contract gives no operationId; this one is ours. */
  readonly idIsOurs: boolean;
  readonly method: 'GET' | 'POST';
  /** Template relative to the base URL, with `{name}` for path parameters. */
  readonly path: string;
  readonly pathParameters: readonly string[];
  readonly group: OperationGroup;
  readonly auth: OperationAuth;
  /** The scope that a key must hold; absent where none is required. */
  readonly scope?: string;
  /** Name of the schema of the required request body; absent where the operation takes none. */
  readonly requestSchema?: string;
  /** Name of the schema of the 200 body; absent where the contract does not show one. */
  readonly responseSchema?: string;
}

/** The 25 operations and the digest of the document they were read from. */
export interface Contract {
  readonly operations: readonly Operation[];
  /** `sha256:` and 64 hexadecimal digits over the bytes of spec/openapi.yaml. */
  readonly digest: string;
}

/** The contract's operations, as the build read them. */
export function loadContract(): Promise<Contract> {
  return builtOr('contract', readContract);
}

/** Reads spec/openapi.yaml; that the document is valid OpenAPI is held by the tests. */
export async function readContract(): Promise<Contract> {
  const { parse } = await import('yaml');
  const bytes = await readFile(join(packageRoot, 'spec', 'openapi.yaml'));
  const { paths } = parse(bytes.toString()) as ContractDocument;
  return {
    operations: Object.entries(paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, operation]) => toOperation(path, method, operation)),
    ),
    digest: `sha256:${createHash('sha256').update(bytes).digest('hex')}`,
  };
}

/** What spec/openapi.yaml uses of OpenAPI 3.1. */
interface ContractDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>;
}

interface DocumentedOperation {
  readonly operationId: string;
  readonly 'x-id-is-ours'?: boolean;
  readonly tags: readonly [OperationGroup];
  readonly security: ReadonlyArray<{ readonly ApiKey: readonly string[] }>;
  readonly requestBody?: DocumentedBody;
  readonly responses: { readonly '200': DocumentedBody };
}

interface DocumentedBody {
  readonly content?: { readonly 'application/json': { readonly schema: { readonly $ref: string } } };
}

function toOperation(path: string, method: string, operation: DocumentedOperation): Operation {
  const scope = operation.security[0]?.ApiKey[0];
  const requestSchema = operation.requestBody && schemaName(operation.requestBody);
  const responseSchema = schemaName(operation.responses['200']);
  return {
    id: operation.operationId,
    idIsOurs: operation['x-id-is-ours'] ?? false,
    method: method.toUpperCase() as Operation['method'],
    path,
    pathParameters: Array.from(path.matchAll(/\{(\w+)\}/g), ([, name = '']) => name),
    group: operation.tags[0],
    auth: operation.security.length === 0 ? 'none' : 'api-key',
    ...(scope !== undefined && { scope }),
    ...(requestSchema !== undefined && { requestSchema }),
    ...(responseSchema !== undefined && { responseSchema }),
  };
}

function schemaName(body: DocumentedBody): string | undefined {
  return body.content?.['application/json'].schema.$ref.split('/').at(-1);
}
