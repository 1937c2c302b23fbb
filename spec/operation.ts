/** The role of an operation that checks or discovery treat specially. */
export type OperationRole =
  | 'creates-session'
  | 'reads-session'
  | 'ends-session'
  | 'initiates-login'
  | 'consumes-login'
  | 'identifies-key'
  | 'identifies-installation'
  | 'lists-products'
  | 'searches-products'
  | 'mentions-resources';

export type ResourceKind = 'product' | 'merchant';

export interface Operation {
  readonly id: string;
  /** The contract gives no operationId; this one is ours. */
  readonly idIsOurs: boolean;
  readonly method: string;
  /** Template relative to the base URL, with `{name}` for path parameters. */
  readonly path: string;
  readonly pathParameters: readonly string[];
  /** The kinds of resource that its path parameters name; a parameter of unknown kind is absent. */
  readonly parameterKinds?: Readonly<Record<string, ResourceKind>>;
  /** The contract does not show its query parameters, so that it may require some. */
  readonly queryNotShown?: boolean;
  /** Tag under which the contract presents it, such as `storefront`. */
  readonly group: string;
  /** How it is authenticated; `api-key` is a key in the Authorization header. */
  readonly auth: 'none' | 'api-key';
  /** The scope that a key must hold; absent where none is required. */
  readonly scope?: string;
  /** Name of the schema of the required request body; absent where the operation takes none. */
  readonly requestSchema?: string;
  /** Name of the schema of the 200 body; absent where the contract does not show one. */
  readonly responseSchema?: string;
  /** Every status that it declares, in ascending order. */
  readonly statuses: readonly number[];
  readonly role?: OperationRole;
  /** Ids of the operations on the same resource by their roles, its own included: those of a session or of a login. */
  readonly peers?: Readonly<Partial<Record<OperationRole, string>>>;
  /** The path parameter whose values its 200 body issues. */
  readonly issues?: string;
  /** Its path parameters whose values another operation issues. */
  readonly takesIssued?: readonly string[];
}

const commonStatuses: ReadonlySet<number> = new Set([200, 400, 401, 403, 404, 409, 429]);

/** Whether it declares a status whose meaning belongs to this operation alone. */
export function declaresAsItsOwn({ statuses }: Pick<Operation, 'statuses'>, status: number): boolean {
  return !commonStatuses.has(status) && statuses.includes(status);
}

const safeMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE']);

/** Whether the method only reads (RFC 9110, section 9.2.1). */
export function isSafe({ method }: Pick<Operation, 'method'>): boolean {
  return safeMethods.has(method);
}

/** The resource that operations share from call to call, such as `session`; undefined where they share none. */
export function sharedResource({ role }: Pick<Operation, 'role'>): 'session' | 'login' | undefined {
  if (role?.endsWith('-session') === true) return 'session';
  return role?.endsWith('-login') === true ? 'login' : undefined;
}

/** The operations as plain data, with the digest of their document. */
export interface ContractData {
  readonly operations: readonly Operation[];
  /** `sha256:` and 64 hexadecimal digits over the bytes of the document. */
  readonly digest: string;
}

/** Whether an operation reads a collection or settings, which may be empty or default for a store that does not exist. */
export function isBelowStore(operation: Operation): boolean {
  const [parameter] = operation.pathParameters;
  if (operation.auth !== 'none' || operation.pathParameters.length !== 1 || parameter === undefined)
    return false;
  const after = operation.path.slice(operation.path.indexOf(`{${parameter}}`) + parameter.length + 2);
  return after !== '' || operation.path.includes('/storefront-decorations/');
}
