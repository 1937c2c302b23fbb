import type { InterfaceValues, optionTable } from '../spec/options.ts';

/** A JSON value in a target description. */
export type JsonValue =
  | null
  | boolean
  | number
  | string
  | readonly JsonValue[]
  | { readonly [name: string]: JsonValue };

/** The options of a run: those of a target file, without those that say what the command writes. */
export type ConformanceSettings = InterfaceValues<typeof optionTable>;

/** What stands in a target file, as an object: `spec/target.schema.json` in TypeScript. */
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
  /** Where an answer holds what a later call needs: a JSON Pointer into the answer of a create, or into another's. */
  readonly captures?: Readonly<Record<string, string | { readonly from: string; readonly pointer: string }>>;
  /** Classes of values that are not to be sent. */
  readonly exclude?: ReadonlyArray<{
    readonly class: string;
    readonly parameter?: string;
    readonly operation?: string;
    readonly reason: string;
  }>;
  /** Values of one's own that each run sends: see `values` in the guide to target files. */
  readonly values?: ReadonlyArray<{
    /** A path parameter by name, `query`, `header` or `body`. */
    readonly in: string;
    readonly value: JsonValue;
    readonly operation?: string;
  }>;
  /** Folder with checks of one's own. */
  readonly checks?: string;
  readonly options?: ConformanceSettings;
}
