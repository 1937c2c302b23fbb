import { describe, expect, it } from 'vitest';
import { exampleExchange } from '../../checks/example-exchange.ts';
import { responderOf } from './own-errors.ts';

describe('responderOf', () => {
  const notFound = exampleExchange({
    status: 404,
    body: '{"message":"Route GET:/x not found","error":"Not Found","statusCode":404}',
  });

  it('contrasts it with the errors of the service', () => {
    expect(responderOf(notFound, ['code', 'hint'])).toEqual({
      name: 'Fastify',
      role: 'framework',
      why: "JSON with message, error, statusCode; the service's own errors are JSON with code, hint",
    });
  });

  it('leaves to the service what looks like its own errors', () => {
    expect(responderOf(notFound, ['error', 'message'])).toBeUndefined();
  });
});
