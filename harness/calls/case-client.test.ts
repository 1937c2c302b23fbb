import { afterEach, describe, expect, it, vi } from 'vitest';
import { ids } from '../../spec/operation-ids-for-tests.ts';
import { serveBytes } from '../http/loopback-for-tests.ts';
import type { CallChanges } from '../requests/call-spec.ts';
import { InconclusiveError } from '../requests/inconclusive-error.ts';
import { requestIdOf } from '../requests/request-builder.ts';
import { CaseClient } from './case-client.ts';
import {
  clientOf,
  closeAll,
  contextOf,
  create,
  open,
  probe,
  serve,
  sessionService,
  sessions,
} from './case-client-for-tests.ts';
import { PropagationDelay } from './propagation-delay.ts';
import { SharedControls } from './shared-controls.ts';

afterEach(closeAll);

describe('a valid call', () => {
  it('has method, path, key and headers of the target, and says who sends it', async () => {
    const { server, arrivals } = await serve(() => undefined);
    const context = await contextOf(server.origin, {
      target: {
        baseUrl: `${server.origin}/gateway/shop`,
        authorization: 'Bearer {key}',
        headers: [['x-gateway', 'yes']],
      },
    });
    await clientOf(context, ids.identity).call(probe);
    expect(arrivals[0]).toMatchObject({
      line: 'GET /gateway/shop/api/v1/open/identity',
      headers: {
        authorization: 'Bearer pk_ScopedAbc12345',
        'user-agent': 'commerce-conformance/0',
        'x-request-id': requestIdOf('run', `${ids.identity}/area/check/1.1`),
        traceparent: expect.stringMatching(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/),
        'x-gateway': 'yes',
        accept: 'application/json',
      },
    });
  });

  it('is recorded with the moment at which it is sent, also where the process is held up before', async () => {
    const { server } = await serve(() => undefined);
    const context = await contextOf(server.origin);
    const { client } = context;
    const send = client.send.bind(client);
    let sentAt = 0;
    vi.spyOn(client, 'send').mockImplementation((request) => {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 60);
      sentAt = Date.now();
      return send(request);
    });
    const { startedAt } = await clientOf(context, ids.bootstrap).call(probe);
    expect(Date.parse(startedAt)).toBeGreaterThanOrEqual(sentAt);
  });

  it('of a public read carries no key', async () => {
    const { server, arrivals } = await serve(() => undefined);
    await clientOf(await contextOf(server.origin), ids.bootstrap).call(probe);
    expect(arrivals[0]?.headers.authorization).toBeUndefined();
  });

  it('falls back on the unscoped key only where no scope is asked for', async () => {
    const { server, arrivals } = await serve(() => undefined);
    const context = await contextOf(server.origin, { target: { keys: { unscoped: 'pk_Other123456' } } });
    await clientOf(context, ids.identity).call(probe);
    expect(arrivals[0]?.headers.authorization).toBe('pk_Other123456');
    const hosted = clientOf(context, ids.create);
    await expect(hosted.call({ ...probe, body: 'none' })).rejects.toThrow(
      'no key with catalog:read is known',
    );
  });

  it('has known values percent-encoded in its path', async () => {
    const { server, arrivals } = await serve(() => undefined);
    const context = await contextOf(server.origin, { target: { parameters: { slug: 'café/ü?#' } } });
    const { request } = await clientOf(context, ids.product).call(probe);
    expect(arrivals[0]?.line).toBe('GET /api/v1/catalog/products/caf%C3%A9%2F%C3%BC%3F%23');
    expect(request.values).toEqual({ slug: { value: 'café/ü?#', source: 'target-file' } });
  });

  it.each(['%2e%2e', '..', 'a%2', '%zz', 'a;b', '{x}'])('has the raw value %s as it is', async (raw) => {
    const { server, arrivals } = await serve(() => undefined);
    const context = await contextOf(server.origin);
    const { request } = await clientOf(context, ids.product).call({
      ...probe,
      rawParameters: { slug: raw },
    });
    expect(arrivals[0]?.line).toBe(`GET /api/v1/catalog/products/${raw}`);
    expect(request.path).toBe(`/api/v1/catalog/products/${raw}`);
  });

  it('cannot be made without a value that must exist, and says which line is missing', async () => {
    const { server, arrivals } = await serve(() => undefined);
    const context = await contextOf(server.origin);
    const error = await clientOf(context, ids.product)
      .call(probe)
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(InconclusiveError);
    expect(error).toMatchObject({ remedy: `parameters: { ${ids.product}: { slug: <one that exists> } }` });
    await expect(clientOf(context, ids.create).call(probe)).rejects.toThrow('no valid body of');
    expect(arrivals).toEqual([]);
  });

  it('with placeholders is made all the same', async () => {
    const { server, arrivals } = await serve(() => undefined);
    const context = await contextOf(server.origin, { target: { keys: {} } });
    const client = clientOf(context, ids.cancel);
    const { request } = await client.call({ ...probe, placeholders: true });
    expect(arrivals).toHaveLength(1);
    expect(arrivals[0]).toMatchObject({
      line: 'POST /api/v1/open/hosted/checkout/sessions/conformance-sessionid/cancel',
      body: '{}',
    });
    expect(request.values['sessionId']?.source).toBe('generated');
    expect(request.credential.kind).toBe('none');
  });

  it('has the body that is asked for, or none', async () => {
    const { server, arrivals } = await serve(() => undefined);
    const context = await contextOf(server.origin, { target: sessions });
    const client = clientOf(context, ids.create);
    await client.call(probe);
    await client.call({ ...probe, body: { bytes: Buffer.from('<a/>'), contentType: 'text/xml' } });
    await client.call({ ...probe, body: { bytes: Buffer.from('x'), contentType: undefined } });
    await client.call({ ...probe, body: 'none' });
    expect(arrivals.map(({ body, headers }) => [body, headers['content-type']])).toEqual([
      ['{"merchant":"nord"}', 'application/json'],
      ['<a/>', 'text/xml'],
      ['x', undefined],
      ['', undefined],
    ]);
  });

  it('has a fresh value for each {unique}', async () => {
    const { server, arrivals } = await serve(() => undefined);
    const bodies = { [ids.create]: { a: '{unique}', b: 'x-{unique}' } };
    const client = clientOf(await contextOf(server.origin, { target: { bodies } }), ids.create);
    await client.call(probe);
    await client.call(probe);
    const [first, second] = arrivals.map(({ body }) => JSON.parse(body) as { a: string; b: string });
    expect(first?.b).toBe(`x-${first?.a}`);
    expect(second?.a).not.toBe(first?.a);
  });
});

describe('captured values', () => {
  it('are held for reads', async () => {
    const { server, arrivals } = await sessionService();
    const client = clientOf(await contextOf(server.origin, { target: sessions }), ids.read);
    await client.call(probe);
    await client.call(probe);
    expect(arrivals.map(({ line }) => line)).toEqual([
      create,
      'GET /api/v1/open/hosted/checkout/sessions/cs_1',
      'GET /api/v1/open/hosted/checkout/sessions/cs_1',
    ]);
  });

  it('are taken afresh for each POST', async () => {
    const { server, arrivals } = await sessionService();
    const client = clientOf(await contextOf(server.origin, { target: sessions }), ids.cancel);
    await client.call(probe);
    await client.call(probe);
    expect(arrivals.map(({ line }) => line)).toEqual([
      create,
      'POST /api/v1/open/hosted/checkout/sessions/cs_1/cancel',
      create,
      'POST /api/v1/open/hosted/checkout/sessions/cs_2/cancel',
    ]);
  });

  it.each([
    ['does not know them yet', 404],
    ['does not take them yet', 409],
  ])('of a POST are sent again where the target %s', async (_how, status) => {
    const { server, arrivals } = await sessionService(1, status);
    const sleep = async (): Promise<void> => undefined;
    const propagationDelay = new PropagationDelay(sleep);
    const context = await contextOf(server.origin, {
      target: sessions,
      context: { sleep, propagationDelay },
    });
    await clientOf(context, ids.cancel).call(probe);
    const cancel = 'POST /api/v1/open/hosted/checkout/sessions/cs_1/cancel';
    expect(arrivals.map(({ line }) => line)).toEqual([create, cancel, cancel]);
  });

  it('are issued by a retry where an equal call just before stood in the way', async () => {
    const { server, arrivals } = await serve((_arrival, count) =>
      count === 1 ? { status: 409 } : { json: { id: 'cs_1' } },
    );
    const sleep = async (): Promise<void> => undefined;
    const context = await contextOf(server.origin, {
      target: sessions,
      context: { sleep, propagationDelay: new PropagationDelay(sleep) },
    });
    expect(await clientOf(context, ids.cancel).capture('sessionId')).toBe('cs_1');
    expect(arrivals.map(({ line }) => line)).toEqual([create, create]);
  });

  it('prove nothing where another case has the same one, and it is not found', async () => {
    const { server } = await serve(({ line }) =>
      line === create ? { json: { id: 'cs_1' } } : { status: 404 },
    );
    const sleep = async (): Promise<void> => undefined;
    const context = await contextOf(server.origin, {
      target: sessions,
      context: { sleep, propagationDelay: new PropagationDelay(sleep) },
    });
    context.sessions.opened('cs_1', { check: 'session/another', operation: ids.create }, '');
    await expect(clientOf(context, ids.read).call(probe)).rejects.toThrow(/another case has ended/);
  });

  it('are refused for good once a call has ended what they name', async () => {
    let cancels = 0;
    const { server, arrivals } = await serve(({ line }) => {
      if (line === create) return { json: { id: 'cs_1' } };
      cancels += 1;
      return cancels === 1 ? {} : { status: 409 };
    });
    const sleep = async (): Promise<void> => undefined;
    const context = await contextOf(server.origin, {
      target: sessions,
      context: { sleep, propagationDelay: new PropagationDelay(sleep) },
    });
    const client = clientOf(context, ids.cancel);
    const parameters = { sessionId: String(await client.capture('sessionId')) };
    await client.call({ ...probe, parameters });
    await client.call({ ...probe, parameters });
    expect(arrivals).toHaveLength(3);
  });

  it.each([
    ['without a key', 'credential'],
    ['with a body that is not JSON', 'body'],
  ])(
    'are named again by a refused call %s where the target does not know them yet',
    async (_how, changed) => {
      const { server, arrivals } = await sessionService(1);
      const sleep = async (): Promise<void> => undefined;
      const context = await contextOf(server.origin, {
        target: sessions,
        context: { sleep, propagationDelay: new PropagationDelay(sleep) },
      });
      const changes: CallChanges =
        changed === 'body'
          ? { body: { bytes: Buffer.from('{'), contentType: 'application/json' } }
          : { credential: context.keys.none };
      const client = clientOf(context, ids.cancel);
      const sessionId = String(await client.capture('sessionId'));
      const refused = await client.call({ ...probe, parameters: { sessionId }, ...changes });
      expect(refused.response?.status).not.toBe(404);
      // Nobody issued this one, so that a 404 is the answer.
      await client.call({ ...probe, parameters: { sessionId: 'cs_unknown' }, ...changes });
      const cancel = 'POST /api/v1/open/hosted/checkout/sessions/cs_1/cancel';
      const unknown = 'POST /api/v1/open/hosted/checkout/sessions/cs_unknown/cancel';
      expect(arrivals.map(({ line }) => line)).toEqual([create, cancel, cancel, unknown]);
    },
  );

  it('are used as long after they were issued as the target is known to need', async () => {
    const { server } = await sessionService();
    const pauses: number[] = [];
    const sleep = async (ms: number): Promise<void> => void pauses.push(ms);
    const context = await contextOf(server.origin, { target: sessions, context: { sleep } });
    const client = clientOf(context, ids.cancel);
    await client.call(probe);
    expect(pauses).toEqual([]);
    await client.call({ ...probe, propagationDelayMs: 500 });
    expect(pauses).toEqual([500]);
    client.propagationTook(500);
    await client.call(probe);
    await client.call({ ...probe, parameters: { sessionId: 'cs_1' } });
    expect(pauses).toEqual([500, 500]);
  });

  it('are taken once for path and body of one call', async () => {
    const { server, arrivals } = await sessionService();
    const bodies = { ...sessions.bodies, [ids.cancel]: { session: '{sessionId}' } };
    const client = clientOf(await contextOf(server.origin, { target: { ...sessions, bodies } }), ids.cancel);
    await client.call(probe);
    expect(arrivals.map(({ line, body }) => [line, body])).toEqual([
      [create, '{"merchant":"nord"}'],
      ['POST /api/v1/open/hosted/checkout/sessions/cs_1/cancel', '{"session":"cs_1"}'],
    ]);
  });

  it('in a body are those that the call gives for its path', async () => {
    const { server, arrivals } = await sessionService();
    const bodies = { ...sessions.bodies, [ids.cancel]: { session: '{sessionId}' } };
    const client = clientOf(await contextOf(server.origin, { target: { ...sessions, bodies } }), ids.cancel);
    await client.call({ ...probe, parameters: { sessionId: 'cs_given' } });
    expect(arrivals.map(({ line, body }) => [line, body])).toEqual([
      ['POST /api/v1/open/hosted/checkout/sessions/cs_given/cancel', '{"session":"cs_given"}'],
    ]);
  });

  it('keep their type in a body', async () => {
    const { server, arrivals } = await serve(({ line }) =>
      line.endsWith('/initiate') ? { json: { state: 17 } } : undefined,
    );
    const target = {
      bodies: { [ids.initiate]: { a: 1 }, [ids.consume]: { state: '{loginState}' } },
      captures: { loginState: { from: ids.initiate, pointer: '/state' } },
    };
    await clientOf(await contextOf(server.origin, { target }), ids.consume).call(probe);
    expect(arrivals.at(-1)?.body).toBe('{"state":17}');
  });

  it('are recorded as set-up, and as captured or discovered', async () => {
    const { server } = await sessionService();
    const context = await contextOf(server.origin, { target: { bodies: sessions.bodies } });
    const { request } = await clientOf(context, ids.read).call(probe);
    expect(request.values['sessionId']).toEqual({ value: 'cs_1', source: 'discovered' });
    expect(
      context.recorded.map(({ role, operation, case: { operation: of } }) => [role, operation, of]),
    ).toEqual([
      ['setup', ids.create, ids.read],
      ['probe', ids.read, ids.read],
    ]);
  });

  it('that cannot be had make the call impossible, perhaps only for now', async () => {
    const { server } = await serve(() => ({ status: 409 }));
    const client = clientOf(await contextOf(server.origin, { target: sessions }), ids.read);
    await expect(client.call(probe)).rejects.toMatchObject({
      message: `sessionId is taken from ${ids.create}, which answered 409`,
      transient: true,
    });
  });

  it('that cannot be had with bodies of their own call for no line', async () => {
    const { server } = await serve(() => ({ status: 409 }));
    const target = { ...sessions, bodies: { ...sessions.bodies, [ids.create]: { cart: '{unique}' } } };
    const client = clientOf(await contextOf(server.origin, { target }), ids.read);
    const error = await client.call(probe).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ message: expect.stringContaining('each of its bodies is {unique}') });
    expect(error).not.toHaveProperty('remedy', expect.any(String));
  });

  it('that are not where they should be make the call impossible', async () => {
    const { server } = await serve(() => ({ json: { other: 1 } }));
    const client = clientOf(await contextOf(server.origin, { target: sessions }), ids.read);
    await expect(client.call(probe)).rejects.toMatchObject({
      message: `the answer of ${ids.create} holds no sessionId at /id, where the target file looks for it`,
      remedy: `if no answer of ${ids.create} has it there, correct the pointer of sessionId under captures in the target file; if only some lack it, compare the instances of the service`,
      transient: false,
    });
  });

  it('that are lost with half an answer may be had at the next try', async () => {
    const server = await serveBytes((socket) =>
      socket.end('HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n{"id":'),
    );
    open.push(() => server.close());
    const client = clientOf(await contextOf(server.origin, { target: sessions }), ids.read);
    await expect(client.call(probe)).rejects.toMatchObject({ transient: true });
  });

  it.each(['/checkout/sessions/100%', '/checkout/sessions/\\ud800'])(
    'that no URL can hold end the case, not the harness: %s',
    async (href) => {
      const { server } = await serve(({ line }) =>
        line === create ? { json: JSON.parse(`{"href":"${href}"}`) } : {},
      );
      const context = await contextOf(server.origin, { target: { bodies: sessions.bodies } });
      const error = await clientOf(context, ids.read)
        .call(probe)
        .catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(InconclusiveError);
    },
  );
});

describe('limits', () => {
  it('of a read-only run let no POST out, not even to take a value', async () => {
    const { server, arrivals } = await sessionService();
    const context = await contextOf(server.origin, { target: sessions, context: { readOnly: true } });
    for (const id of [ids.create, ids.read]) {
      await expect(clientOf(context, id).call(probe)).rejects.toMatchObject({
        remedy: 'run without --read-only',
      });
    }
    await clientOf(context, ids.bootstrap).call(probe);
    expect(arrivals.map(({ line }) => line)).toEqual(['GET /api/v1/bootstrap']);
  });

  it('of the budget end the case, and leave something for cleaning up', async () => {
    const { server } = await serve(() => undefined);
    const context = await contextOf(server.origin, { target: sessions, maxRequests: 200 });
    const client = clientOf(context, ids.cancel);
    const parameters = { sessionId: 'cs_1' };
    while (context.budget.remaining > 1) context.budget.take();
    await client.call({ ...probe, parameters });
    await expect(client.call({ ...probe, parameters })).rejects.toMatchObject({
      remedy: 'raise --max-requests',
    });
    await client.call({ role: 'cleanup', label: 'cleans up', parameters });
  });

  it('of patience keep others from waiting for an operation that never answers', async () => {
    const { server, arrivals } = await serve(() => null);
    const context = await contextOf(server.origin, { timeoutMs: 60 });
    const client = clientOf(context, ids.bootstrap);
    await client.call(probe);
    await expect(client.call(probe)).rejects.toThrow('did not answer in time');
    await client.call({ ...probe, persistent: true });
    await expect(clientOf(context, ids.bootstrap, 2).call({ ...probe, persistent: true })).rejects.toThrow(
      'did not answer in time',
    );
    expect(arrivals).toHaveLength(2);
  });
});

describe('what is recorded', () => {
  it('has ids that depend on case, attempt and number alone', async () => {
    const { server } = await sessionService();
    const context = await contextOf(server.origin, { target: sessions });
    for (const attempt of [1, 2]) {
      const client = clientOf(context, ids.read, attempt);
      await client.call(probe);
      await client.call(probe);
    }
    expect(context.recorded.map(({ id }) => id)).toEqual(
      ['1.1', '1.2', '1.3', '2.1', '2.2', '2.3'].map((tail) => `${ids.read}/area/check/${tail}`),
    );
  });

  it('names a credential without its value', async () => {
    const { server } = await serve(() => undefined);
    const context = await contextOf(server.origin, { target: { authorization: 'Bearer {key}' } });
    const client = clientOf(context, ids.identity);
    await client.call(probe);
    await client.call({ ...probe, credential: context.keys.none });
    const [own, none] = client.exchanges;
    expect(own?.request.headers).toContainEqual(['authorization', 'Bearer <scoped key>']);
    expect(own?.request.credential).toEqual({
      kind: 'scoped',
      description: 'scoped key',
      fingerprint: context.secrets.fingerprint('pk_ScopedAbc12345'),
    });
    expect(none?.request.headers.map(([name]) => name)).not.toContain('authorization');
    expect(none?.request.credential).toEqual({ kind: 'none', description: 'no credentials' });
  });

  it('names every near miss by what it is, and holds none of them', async () => {
    const { server } = await serve(({ headers }) => ({
      json: { echo: headers.authorization, again: [headers.authorization] },
      headers: { 'x-echo': headers.authorization ?? '' },
    }));
    const context = await contextOf(server.origin, { target: { authorization: 'Bearer {key}' } });
    const client = clientOf(context, ids.identity);
    for (const credential of context.keys.invalid) {
      const { request, label } = await client.call({ ...probe, label: credential.description, credential });
      expect(label).toBe(credential.description);
      const scheme = credential.format?.split(' ')[0];
      expect(request.headers).toContainEqual(['authorization', `${scheme} <${credential.description}>`]);
    }
    const written = JSON.stringify(context.recorded);
    for (const { secret, description } of context.keys.invalid) {
      if (secret === '' || secret === undefined || description === 'malformed credentials') continue;
      expect(written).not.toContain(secret);
    }
    expect(written).not.toContain('ScopedAbc');
  });

  it('holds nothing of a near miss that ends in a space, either', async () => {
    const { server } = await serve(() => undefined);
    const context = await contextOf(server.origin, {
      target: { keys: { scoped: 'correct horse battery s' } },
    });
    const client = clientOf(context, ids.identity);
    for (const credential of context.keys.invalid) await client.call({ ...probe, credential });
    expect(JSON.stringify(context.recorded)).not.toContain('correct horse');
  });

  it('holds nothing of a near miss whose text stands in the scheme, either', async () => {
    const { server } = await serve(() => undefined);
    const context = await contextOf(server.origin, {
      target: { keys: { scoped: 'ApiKey99' }, authorization: 'ApiKey {key}' },
    });
    const client = clientOf(context, ids.identity);
    for (const credential of context.keys.invalid) await client.call({ ...probe, credential });
    for (const { request } of context.recorded) {
      expect(request.headers.find(([name]) => name === 'authorization')?.[1]).toMatch(
        /^(?:ApiKey|Basic) <[^<>]*>$/,
      );
    }
  });

  it('holds no key that the target echoes, in any place', async () => {
    const key = 'pk_ScopedAbc12345';
    const { server } = await serve(() => ({
      status: 400,
      json: { message: `bad key ${key}`, [key]: { coded: Buffer.from(key).toString('base64') } },
      headers: { 'x-key': key, location: `https://other.example/?key=${key}` },
    }));
    const context = await contextOf(server.origin);
    await clientOf(context, ids.identity).call(probe);
    expect(JSON.stringify(context.recorded)).not.toMatch(/ScopedAbc|cGtfU2NvcGVk/);
    expect(context.recorded[0]?.response?.body.text).toContain('<scoped key>');
  });

  it('leaves the value for the case itself to take out', async () => {
    const { server } = await serve(() => ({ json: { key: 'pk_ScopedAbc12345' } }));
    const client = clientOf(await contextOf(server.origin), ids.identity);
    await client.call(probe);
    expect(client.lastBody).toEqual({ key: 'pk_ScopedAbc12345' });
  });

  it('is a failure with what came before it', async () => {
    const server = await serveBytes((socket) =>
      socket.end('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n{"a":1'),
    );
    open.push(() => server.close());
    const exchange = await clientOf(await contextOf(server.origin), ids.bootstrap).call(probe);
    expect(exchange).toMatchObject({
      failure: { kind: 'reset' },
      response: { status: 200, body: { text: '{"a":1', truncated: true, json: 'malformed' } },
    });
  });
});

describe('sessions', () => {
  it('are remembered until they are cancelled', async () => {
    const { server } = await sessionService();
    const context = await contextOf(server.origin, { target: sessions });
    await clientOf(context, ids.create).call(probe);
    await clientOf(context, ids.read).call(probe);
    expect(context.sessions.list()).toEqual(['cs_1', 'cs_2']);
    await clientOf(context, ids.cancel).call({
      ...probe,
      parameters: { sessionId: 'cs_1' },
    });
    expect(context.sessions.list()).toEqual(['cs_2']);
  });

  it('stay remembered where the cancel is refused', async () => {
    const { server } = await serve(({ line }) => (line === create ? { json: { id: 7 } } : { status: 403 }));
    const context = await contextOf(server.origin, { target: sessions });
    await clientOf(context, ids.cancel).call(probe);
    expect(context.sessions.list()).toEqual(['7']);
  });

  it('are remembered where they are wrongly answered 201', async () => {
    const { server } = await serve(() => ({ status: 201, json: { id: 'cs_1' } }));
    const context = await contextOf(server.origin, { target: sessions });
    await clientOf(context, ids.create).call(probe);
    expect(context.sessions.list()).toEqual(['cs_1']);
  });
});

it('tries a refused valid call again itself, even if that of another case was accepted since', async () => {
  const { server, arrivals } = await serve((_arrival, count) => ({ status: count === 1 ? 400 : 200 }));
  const context = { ...(await contextOf(server.origin)), controls: new SharedControls() };
  const one = clientOf(context, ids.bootstrap);
  const valid = { role: 'control', label: 'valid call', step: 'valid' } as const;
  await one.call(valid);
  await new CaseClient(context, 'area/other', one.caseOperation, 1).call(valid);
  await one.call(valid);
  expect(arrivals).toHaveLength(3);
  expect(one.exchanges.map(({ response }) => response?.status)).toEqual([400, 200]);
});

it.each([
  ['lets another case have its turn while a turn pauses', false, ['a pauses', 'b acts', 'a ends']],
  ['does not where sessions of the turn are open', true, ['a pauses', 'a ends', 'b acts']],
])('%s', async (_what, hasOpenSessions, order) => {
  const { server } = await sessionService();
  const context = await contextOf(server.origin);
  const [a, b] = [clientOf(context, ids.read), clientOf(context, ids.cancel)];
  const seen: string[] = [];
  const first = a.inTurn(async () => {
    seen.push('a pauses');
    await a.pauseInTurn(1, hasOpenSessions);
    seen.push('a ends');
  });
  await Promise.all([first, b.inTurn(async () => seen.push('b acts'))]);
  expect(seen).toEqual(order);
});
