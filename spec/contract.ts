import type { ContractData, Operation, OperationRole, ResourceKind } from './operation.ts';
import { builtOr } from './package-root.ts';

export type { Operation };

/** The operations of the contract, by id, role and the resources that they name. */
export class Contract implements ContractData {
  readonly operations: readonly Operation[];
  readonly digest: string;

  constructor({ operations, digest }: ContractData) {
    this.operations = operations;
    this.digest = digest;
  }

  find(id: string): Operation | undefined {
    return this.operations.find((operation) => operation.id === id);
  }

  operation(id: string): Operation {
    const found = this.find(id);
    if (found === undefined) throw new Error(`the contract has no operation ${id}`);
    return found;
  }

  withRole(role: OperationRole): Operation | undefined {
    return this.operations.find((operation) => operation.role === role);
  }

  /** The operations with one of these roles, in the order of the roles. */
  withRoles(...roles: readonly OperationRole[]): readonly Operation[] {
    return roles.flatMap((role) => this.operations.filter((operation) => operation.role === role));
  }

  /** The operation whose 200 body issues values of a path parameter; undefined where none does. */
  issuerOf(parameter: string): Operation | undefined {
    return this.operations.find(({ issues }) => issues === parameter);
  }

  /** Reads that any valid key may call without path parameters, those that identify the key first. */
  get keyedReads(): readonly Operation[] {
    const reads = this.operations.filter(
      (one) => one.auth === 'api-key' && one.scope === undefined && isPlainRead(one),
    );
    const first = this.withRoles('identifies-key', 'identifies-installation');
    return [...first.filter((one) => reads.includes(one)), ...reads.filter((one) => !first.includes(one))];
  }

  /** Reads without a key and path parameters that the contract shows in full. */
  get publicReads(): readonly Operation[] {
    return this.operations.filter((one) => one.auth === 'none' && !one.idIsOurs && isPlainRead(one));
  }

  /** Names of path parameters that always name this kind of resource. */
  parametersNaming(kind: ResourceKind): readonly string[] {
    const kinds = new Map<string, Set<ResourceKind | undefined>>();
    for (const { pathParameters, parameterKinds } of this.operations) {
      for (const name of pathParameters)
        kinds.set(name, (kinds.get(name) ?? new Set()).add(parameterKinds?.[name]));
    }
    return [...kinds].flatMap(([name, found]) => (found.size === 1 && found.has(kind) ? [name] : []));
  }
}

/** The contract as the build read it. */
export async function loadContract(): Promise<Contract> {
  // The built program does not load the YAML parser.
  const read = async (): Promise<ContractData> => (await import('./read-contract.ts')).readContract();
  return new Contract(await builtOr('contract', read));
}

function isPlainRead({ method, pathParameters }: Operation): boolean {
  return method === 'GET' && pathParameters.length === 0;
}
