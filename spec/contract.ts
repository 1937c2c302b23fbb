import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import SwaggerParser from '@apidevtools/swagger-parser';

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
