import fc from 'fast-check';
import { anyCharacter } from '../any-character-for-tests.ts';
import type { Exchange, HeaderList, RecordedBody } from '../model/exchange.ts';

const text = fc.string({ unit: anyCharacter, maxLength: 20 });

const headers: fc.Arbitrary<HeaderList> = fc.array(
  fc.tuple(fc.constantFrom('content-type', 'location', 'set-cookie', 'x-other', ''), text),
  { maxLength: 4 },
);

const body: fc.Arbitrary<RecordedBody> = fc.record({
  text,
  encoding: fc.constantFrom('utf-8' as const, 'base64' as const),
  bytes: fc.nat(),
  truncated: fc.boolean(),
  json: fc.constantFrom('object', 'array', 'string', 'number', 'boolean', 'null', 'malformed', 'empty'),
});

const path = fc.oneof(
  text.map((rest) => `/${rest}`),
  fc.constantFrom('/', '/a?b=c&d&e=f=g', '/%zz', '/a b', '/%2e%2e/ü', '/?', '/a#b', '/\\', '/\ud800'),
);

/** Any exchange that could be recorded, and many that could not. */
export const anyExchange: fc.Arbitrary<Exchange> = fc
  .record(
    {
      id: text,
      operation: text,
      case: fc.record({ check: text, operation: text }),
      role: fc.constantFrom('preflight', 'setup', 'control', 'probe', 'witness', 'cleanup'),
      label: text,
      step: fc.string({ minLength: 1 }),
      neutral: fc.array(text, { minLength: 1, maxLength: 2 }),
      row: fc.dictionary(
        text.filter((name) => name !== '__proto__'),
        fc.oneof(text, fc.array(text, { maxLength: 2 })),
        { maxKeys: 2, noNullPrototype: true },
      ),
      attempt: fc.integer({ min: 1, max: 99 }),
      request: fc.record(
        {
          method: fc.constantFrom('GET', 'POST'),
          path,
          headers,
          credential: fc.record(
            {
              kind: fc.constantFrom('none', 'scoped', 'unscoped', 'invalid'),
              description: text,
              fingerprint: fc.stringMatching(/^[0-9a-f]{12}$/),
            },
            { requiredKeys: ['kind', 'description'] },
          ),
          values: fc.dictionary(
            text.filter((name) => name !== '__proto__'),
            fc.record({
              value: text,
              source: fc.constantFrom('target-file', 'discovered', 'captured', 'generated'),
            }),
            { maxKeys: 3, noNullPrototype: true },
          ),
          body,
          connection: fc.constantFrom('shared', 'fresh', 'reused'),
          protocol: fc.constant('HTTP/2' as const),
        },
        { requiredKeys: ['method', 'path', 'headers', 'credential', 'values', 'connection'] },
      ),
      response: fc.record({ status: fc.integer({ min: 0, max: 999 }), headers, body }),
      failure: fc.record({ kind: fc.constantFrom('timeout', 'reset', 'refused'), message: text }),
      startedAt: fc
        .date({ noInvalidDate: true, min: new Date('2000-01-01'), max: new Date('2100-01-01') })
        .map((date) => date.toISOString()),
      blockedInFront: fc.constant(true as const),
      durationMs: fc.double({ min: 0, max: 1e6, noNaN: true }).map((ms) => Math.abs(ms)),
    },
    {
      requiredKeys: [
        'id',
        'operation',
        'case',
        'role',
        'label',
        'attempt',
        'request',
        'startedAt',
        'durationMs',
      ],
      noNullPrototype: true,
    },
  )
  .map((exchange) => exchange as Exchange);
