import type { Operation } from '../../spec/contract.ts';
import { defined } from '../defined.ts';
import { jsonKind } from '../evidence/json-syntax.ts';
import type {
  CredentialKind,
  Exchange,
  FailureKind,
  RecordedBody,
  RecordedRequest,
} from '../model/exchange.ts';

/** The relevant parts of an exchange in an example; the rest has defaults. */
export interface ExampleParts
  extends Partial<Pick<Exchange, 'operation' | 'role' | 'label' | 'step' | 'row' | 'neutral'>>,
    Partial<Pick<Exchange, 'startedAt' | 'durationMs'>>,
    Partial<Pick<RecordedRequest, 'values' | 'connection'>> {
  /** Undefined for no response. */
  readonly status?: number;
  readonly contentType?: string | null;
  /** Undefined for a JSON object. */
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly credential?: CredentialKind;
  readonly failure?: FailureKind;
  readonly sentBy?: string;
  readonly request?: Partial<RecordedRequest>;
}

export function exampleExchange(parts: ExampleParts): Exchange {
  const { operation = 'readExample', body = '{"a":1}', contentType = 'application/json', failure } = parts;
  const kind = parts.credential ?? 'scoped';
  return {
    id: `${operation}/example/1.1`,
    operation,
    case: { check: parts.sentBy ?? 'example', operation },
    role: parts.role ?? 'probe',
    label: parts.label ?? 'example',
    ...defined({ step: parts.step, row: parts.row, neutral: parts.neutral }),
    attempt: 1,
    request: {
      method: 'GET',
      path: '/example',
      headers: [],
      credential: { kind, description: kind },
      values: parts.values ?? {},
      connection: parts.connection ?? 'shared',
      ...parts.request,
    },
    ...(parts.status !== undefined && {
      response: {
        status: parts.status,
        headers: [
          ...(contentType === null ? [] : [['content-type', contentType] as const]),
          ...Object.entries(parts.headers ?? {}),
        ],
        body: exampleBody(body),
      },
    }),
    ...(failure !== undefined && { failure: { kind: failure, message: failure } }),
    startedAt: parts.startedAt ?? '2026-01-01T00:00:00.000Z',
    durationMs: parts.durationMs ?? 1,
  };
}

export function exampleBody(text: string): RecordedBody {
  return { text, encoding: 'utf-8', bytes: Buffer.byteLength(text), truncated: false, json: jsonKind(text) };
}

/** An operation for examples: by default, a read that requires an API key. */
export function exampleOperation(parts: Partial<Operation> = {}): Operation {
  return {
    id: 'readExample',
    idIsOurs: false,
    method: 'GET',
    path: '/api/v1/example',
    pathParameters: [],
    group: 'catalog',
    auth: 'api-key',
    responseSchema: 'ExampleResponse',
    statuses: [200, 400, 401, 403, 404, 409, 429],
    ...parts,
  };
}
