import type { InterfaceValues, optionTable } from '../spec/options.ts';

/** A JSON value in a target description. */
export type JsonValue =
  | null
  | boolean
  | number
  | string
  | readonly JsonValue[]
  | { readonly [name: string]: JsonValue };

/** The options of a run: those of a target file, without those for the files of the command. */
export type ConformanceSettings = InterfaceValues<typeof optionTable>;

/** The content of a target file: `spec/target.schema.json` in TypeScript. */
export interface TargetDescription {
  readonly baseUrl: string;
  /** How a key is written in the Authorization header, `{key}` standing for it. */
  readonly authorization?: string;
  readonly keys?: { readonly scoped?: string; readonly unscoped?: string };
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Values that exist on the target, for all operations by name or for one by its operationId. */
  readonly parameters?: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
  /** Query parameters by operationId, sent with every call of the operation. */
  readonly query?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Valid request bodies by operationId. */
  readonly bodies?: Readonly<Record<string, JsonValue>>;
  /** JSON Pointers to values that later calls need, in the answer of a create or of the named operation. */
  readonly captures?: Readonly<Record<string, string | { readonly from: string; readonly pointer: string }>>;
  /** Classes of values that no run sends. */
  readonly exclude?: ReadonlyArray<{
    readonly class: string;
    readonly parameter?: string;
    readonly operation?: string;
    readonly reason: string;
  }>;
  /** Further values that each run sends: see `values` in the guide to target files. */
  readonly values?: ReadonlyArray<{
    /** A path parameter by name, `query`, `header` or `body`. */
    readonly in: string;
    readonly value: JsonValue;
    readonly operation?: string;
  }>;
  /** Folder with custom checks. */
  readonly checks?: string;
  readonly options?: ConformanceSettings;
}
