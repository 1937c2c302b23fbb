import type { Text } from '../harness/model/formats.ts';
import type { Exclusion, Json, OwnValue } from '../harness/model/target.ts';
import type { InterfaceValues, optionTable } from '../spec/options.ts';

/** A JSON value in a target description. */
export type JsonValue = Json;

/** The options of a run: those of a target file, without those for the files of the command. */
export type ConformanceSettings = InterfaceValues<typeof optionTable>;

/** The implementation under test. All is optional but baseUrl; ${NAME} in a value reads the environment, $${ is a literal ${. */
export interface TargetDescription {
  /** Where an editor finds this schema; not read. */
  readonly $schema?: string;
  /**
   * Origin and path prefix in front of /api/v1; the prefix is kept as written.
   * @example https://staging.example.com/gateway
   */
  readonly baseUrl: string;
  /**
   * How a key is written in the Authorization header, {key} standing for it.
   * @pattern \{key\}
   * @default {key}
   * @example Bearer {key}
   */
  readonly authorization?: string;
  /** API keys of the target; best read from the environment. */
  readonly keys?: {
    /** A key that holds the scope catalog:read. @example ${COMMERCE_KEY} */
    readonly scoped?: Text;
    /** A valid key without the scope catalog:read. @example ${COMMERCE_KEY_UNSCOPED} */
    readonly unscoped?: Text;
  };
  /**
   * Headers sent with every request, for a gateway in front of the target.
   * @example { "x-gateway-token": "${GATEWAY_TOKEN}" }
   */
  readonly headers?: Readonly<Record<string, HeaderValue>>;
  /** Path parameter values that exist on the target: by name for all operations, or below an operationId for that one. */
  readonly parameters?: {
    /** Slug of a product or of a store, depending on the path. */
    readonly slug?: ParameterValue;
    /** Slug of a store that has the product productSlug. */
    readonly merchantSlug?: ParameterValue;
    /** Slug of a product of the store merchantSlug. */
    readonly productSlug?: ParameterValue;
    /** A store whose security configuration is public. */
    readonly store?: ParameterValue;
    /** A hosted checkout session; better captured from its creation. */
    readonly sessionId?: ParameterValue;
    /**
     * Below an operationId: values for this operation, by parameter name.
     * @minLength 1
     * @example { "slug": "linen-shirt" }
     */
    readonly [name: string]: string | Readonly<Record<string, ParameterValue>> | undefined;
  };
  /** Query parameters that an operation requires, by operationId and name; sent with every call of it. */
  readonly query?: Readonly<Record<string, QueryParameters>>;
  /** Valid request bodies by operationId; {name} inside a text is a captured value, {unique} a value fresh for each use. */
  readonly bodies?: {
    /** A body with which a hosted login can be initiated. */
    readonly initiateHostedLogin?: JsonValue;
    /** A body with which the return of a login is consumed. */
    readonly consumeHostedLoginReturn?: JsonValue;
    /** A body with which a checkout session can be created. */
    readonly createHostedCheckoutSession?: JsonValue;
    /** A body with which a checkout session can be cancelled. */
    readonly cancelHostedCheckoutSession?: JsonValue;
    /** A valid request body of this operation. */
    readonly [operation: string]: JsonValue | undefined;
  };
  /**
   * Values that only an earlier answer holds, taken afresh for each use, by a name of your choice.
   * @propertyNames { "pattern": "^[A-Za-z_][A-Za-z0-9_]*$" }
   */
  readonly captures?: {
    /** Where the answer of createHostedCheckoutSession holds the id of the session. */
    readonly sessionId?: CaptureSource;
    readonly [name: string]: CaptureSource | undefined;
  };
  /** Classes of values that fuzzing leaves out; each is printed in the report with its reason. */
  readonly exclude?: readonly Exclusion[];
  /**
   * Values of your own that each run sends in addition to the built-in ones, such as one that once broke production; the contract
   * allows the same responses to them.
   * @example [{ "in": "slug", "value": "summer sale" }]
   */
  readonly values?: readonly OwnValue[];
  /** Folder with custom checks, which run in addition to the built-in ones; relative to this file. @example checks */
  readonly checks?: Text;
  /**
   * Flags of run, in camelCase; a flag on the command line wins. Paths are relative to the working directory, as on the
   * command line.
   */
  readonly options?: ConformanceSettings;
}

/** The value of the header, as text. */
type HeaderValue = string;

/** A value of a path parameter, as text and not percent-encoded. @minLength 1 */
type ParameterValue = string;

/** Query parameters of this operation, by name. @example { "q": "shirt" } */
type QueryParameters = Readonly<Record<string, QueryValue>>;

/** The value, as text and not percent-encoded. */
type QueryValue = string;

/**
 * A JSON Pointer into the 200 body of the operation that makes the value, or that operation and the pointer.
 * @example /data/sessionId
 */
type CaptureSource =
  | string
  | {
      /** operationId of the call whose 200 body holds the value. @example initiateHostedLogin */
      readonly from: string;
      /** JSON Pointer (RFC 6901) into that body. @example /state */
      readonly pointer: string;
    };
