import { Pool } from 'undici';
import { baseUrlParts } from '../../harness/base-url-parts.ts';
import type { Target } from '../../harness/model/target.ts';
import type { PathInput } from './path-inputs.ts';
import type { Sender } from './sender.ts';

/** Headers that the harness sends too. */
function headersFor(target: Target): string[] {
  const key = target.authorization.replace('{key}', () => target.keys.scoped ?? '');
  const own = [
    'user-agent',
    'bench',
    'accept',
    'application/json',
    'x-request-id',
    'bench/1',
    'authorization',
  ];
  return [...own, key, ...target.headers.flat()];
}

function openPool(target: Target, concurrency: number): Pool {
  return new Pool(baseUrlParts(target.baseUrl).origin, { connections: concurrency, pipelining: 1 });
}

/** The way of undici's documentation: `pool.request`, and the body read as JSON. */
export function bareRequest(target: Target, concurrency: number): Sender {
  const pool = openPool(target, concurrency);
  const headers = headersFor(target);
  return {
    send: async ({ operation, path }) => {
      const { body } = await pool.request({ method: operation.method, path, headers });
      await body.json();
    },
    close: () => pool.destroy(),
  };
}

/** The least that does the same job: `pool.dispatch`, the chunks put together and parsed as JSON. */
export function bareDispatch(target: Target, concurrency: number): Sender {
  const pool = openPool(target, concurrency);
  const headers = headersFor(target);
  const send = ({ operation, path }: PathInput): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const chunks: Buffer[] = [];
      pool.dispatch(
        { method: operation.method, path, headers },
        {
          onRequestStart: () => {},
          onResponseStart: () => {},
          onResponseData: (_controller, chunk) => chunks.push(chunk),
          onResponseEnd: () => resolve(JSON.parse(Buffer.concat(chunks).toString())),
          onResponseError: (_controller, error) => reject(error),
        },
      );
    });
  return { send: async (input) => void (await send(input)), close: () => pool.destroy() };
}
