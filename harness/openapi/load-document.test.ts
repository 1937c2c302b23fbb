import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { loadContract } from '../../spec/contract.ts';
import { packageRoot } from '../../spec/package-root.ts';
import type { SuppliedDocument } from '../model/supplied-document.ts';
import { UsageError } from '../usage-error.ts';
import { compileDocument } from './compile-document.ts';
import { at, contractAsDocument, operationForTests } from './document-for-tests.ts';
import { loadDocument } from './load-document.ts';

const contract = await loadContract();
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'supplied-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function load(content: unknown, name = 'openapi.yaml'): Promise<SuppliedDocument> {
  const file = join(folder, name);
  await writeFile(
    file,
    typeof content === 'string' || Buffer.isBuffer(content) ? content : stringify(content),
  );
  return loadDocument(file, contract);
}

async function refusal(loading: Promise<unknown>): Promise<UsageError> {
  const error: unknown = await loading.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(UsageError);
  return error as UsageError;
}

const thing = {
  type: 'object',
  required: ['next'],
  properties: { next: { $ref: '#/components/schemas/Thing' } },
};

function describing(schema: unknown, others: Readonly<Record<string, unknown>> = {}): object {
  const content = { 'application/json': { schema } };
  return {
    openapi: '3.1.0',
    info: { title: 'Test', version: '1' },
    paths: { '/api/v1/things': { post: { responses: { '200': { description: 'a thing', content } } } } },
    ...others,
  };
}

function verdict(document: SuppliedDocument, value: unknown): unknown {
  return compileDocument(document).responseValidator(operationForTests(), 200, undefined)?.(value);
}

describe('a good document', () => {
  it('is the contract itself', async () => {
    const document = await loadDocument(join(packageRoot, 'spec', 'openapi.yaml'), contract);
    expect(document).toMatchObject({ version: '3.1.0', defects: [], deviations: [] });
    expect(document.digest).toMatch(/^sha256:[0-9a-f]{64}$/);
  });

  it('is the same in YAML and in JSON', async () => {
    const content = contractAsDocument();
    const yaml = await load(content);
    const json = await load(JSON.stringify(content), 'openapi.json');
    expect(json.content).toEqual(yaml.content);
    expect(json.digest).toBe(yaml.digest);
  });

  it('survives being handed to another thread', async () => {
    const document = await load(
      describing({ $ref: '#/components/schemas/Thing' }, { components: { schemas: { Thing: thing } } }),
    );
    expect(structuredClone(document)).toEqual(document);
    expect(verdict(structuredClone(document), { next: { next: {} } })).toEqual({
      ok: false,
      errors: ['/next/next lacks next'],
    });
  });

  it('may have merge keys, anchors and a byte order mark', async () => {
    const document = await load(
      '\uFEFFopenapi: 3.1.0\ninfo: &info {title: T, version: "1"}\nx-more: {<<: *info, a: *info}\npaths: {}\n',
    );
    expect(document.content['x-more']).toEqual({ title: 'T', version: '1', a: { title: 'T', version: '1' } });
  });

  it('keeps no __proto__', async () => {
    const document = await load('{"openapi":"3.1.0","__proto__":{"paths":{"/x":{}}}}', 'openapi.json');
    expect(Object.getPrototypeOf(document.content)).toBe(Object.prototype);
    expect(Object.keys(document.content)).toEqual(['openapi']);
  });

  it('may be spread over files, circles among them included', async () => {
    await mkdir(join(folder, 'schemas'), { recursive: true });
    await writeFile(
      join(folder, 'schemas', 'Thing.yaml'),
      stringify({
        ...thing,
        properties: { next: { $ref: 'Thing.yaml' }, kind: { $ref: '../common.json#/kinds/Kind' } },
      }),
    );
    await writeFile(
      join(folder, 'common.json'),
      JSON.stringify({
        kinds: { Kind: { enum: ['a', 'b'] }, Back: { $ref: 'openapi.yaml#/components/schemas/Own' } },
      }),
    );
    const document = await load(
      describing(
        {
          allOf: [
            { $ref: './schemas/Thing.yaml' },
            { properties: { own: { $ref: 'common.json#/kinds/Back' } } },
          ],
        },
        { components: { schemas: { Own: { type: 'integer' } } } },
      ),
    );
    expect(Object.keys(document.content['x-documents'] as object).sort()).toEqual([
      'Thing.yaml',
      'common.json',
    ]);
    expect(document.defects).toEqual([]);
    const errors = ['/next lacks next', '/next/kind is not one of ["a","b"]', '/own must be integer'];
    expect(verdict(document, { next: { kind: 'c' }, own: 'x' })).toEqual({
      ok: false,
      errors: expect.arrayContaining(errors),
    });
  });

  it('keeps the names of schemas in other files', async () => {
    const content = contractAsDocument();
    const schemas = at(content, 'components', 'schemas');
    await writeFile(
      join(folder, 'PublicErrorResponse.yaml'),
      'type: object\nproperties: {code: {type: string}}\n',
    );
    await writeFile(join(folder, 'answers.yaml'), stringify({ OperationResponse: { type: 'object' } }));
    schemas['PublicErrorResponse'] = { $ref: 'PublicErrorResponse.yaml' };
    const whole = JSON.stringify(content).replaceAll(
      '#/components/schemas/OperationResponse',
      'answers.yaml#/OperationResponse',
    );
    expect((await load(whole)).deviations).toEqual([]);
    const direct = whole.replaceAll('#/components/schemas/PublicErrorResponse', 'PublicErrorResponse.yaml');
    expect((await load(direct)).deviations).toEqual([]);
  });

  it('may have examples that look like references', async () => {
    const example = { $ref: 'https://elsewhere.example/nothing.yaml' };
    const schema = { type: 'object', example, examples: [example], default: example, enum: [example] };
    expect((await load(describing(schema))).content['x-documents']).toBeUndefined();
  });

  it('may name schemas by absolute ids of its own', async () => {
    const Id = { $id: 'https://schemas.example/id', type: 'integer' };
    const document = await load(
      describing({ $ref: 'https://schemas.example/id' }, { components: { schemas: { Id } } }),
    );
    expect(verdict(document, 'x')).toEqual({ ok: false, errors: ['the body must be integer'] });
  });

  it('is told what is wrong with its structure', async () => {
    const content = contractAsDocument();
    delete at(content, 'components', 'responses', 'NotFound')['description'];
    const document = await load(content);
    expect(document.defects.join()).toContain('description');
    expect(document.deviations).toContainEqual(expect.objectContaining({ operation: undefined }));
  });

  it.each(['3.0.3', '3.2.0', '3.1', '4.0.0'])('may be of version %s, which is no 3.1.x', async (version) => {
    const document = await load({ ...contractAsDocument(), openapi: version });
    expect(document.deviations.map(({ actual }) => actual)).toContain(`openapi: ${version}`);
  });
});

describe('a document that is refused', () => {
  it.each([
    ['Swagger 2', '{"swagger":"2.0","paths":{}}', 'this is a Swagger 2.0 document'],
    ['other JSON', '{"a":1}', 'this is not an OpenAPI document'],
    ['a list', '[]', 'this is not an OpenAPI document'],
    ['text', 'hello', 'this is not an OpenAPI document'],
    ['nothing', '', 'this is not an OpenAPI document'],
    ['a page', '<!doctype html><title>Docs</title>', 'this is HTML or XML'],
    ['broken YAML', 'openapi: 3.1.0\npaths: {\n', 'openapi.yaml:3:1: this is neither YAML nor JSON'],
    ['a name twice', 'openapi: 3.1.0\nopenapi: 3.1.1\n', 'openapi.yaml:2:1'],
    ['bytes', Buffer.from([0xff, 0xfe, 0x00]), 'is not UTF-8'],
    ['a bomb of aliases', bomb(), 'document'],
    ['deep nesting', `{"openapi":"3.1.0","a":${'['.repeat(2000)}${']'.repeat(2000)}}`, 'levels deep'],
  ])('%s', async (_name, content, message) => {
    expect((await refusal(load(content))).message).toContain(message);
  });

  it('is larger than can be read', async () => {
    const content = `openapi: 3.1.0\ninfo: {title: ${'x'.repeat(17 * 1024 * 1024)}}\n`;
    expect((await refusal(load(content, 'large.yaml'))).message).toContain('larger than 16 MB');
  });

  it('does not exist, or is a directory', async () => {
    expect((await refusal(loadDocument(join(folder, 'none.yaml'), contract))).message).toContain(
      'does not exist',
    );
    expect((await refusal(loadDocument(folder, contract))).message).toContain('directory');
  });

  it.each([
    ['ftp://a.example/openapi.yaml', 'cannot be fetched by ftp'],
    ['file:///etc/passwd', 'cannot be fetched by file'],
    ['https://user:secret@a.example/openapi.yaml', 'holds credentials'],
    ['http://', 'not a URL'],
  ])('%s', async (source, message) => {
    const error = await refusal(loadDocument(source, contract));
    expect(error.message).toContain(message);
    expect(error.message).not.toContain('secret');
  });

  it('refers to what does not belong to it', async () => {
    await mkdir(join(folder, 'inner'), { recursive: true });
    await writeFile(join(folder, 'outside.yaml'), 'type: string\n');
    await symlink(join(folder, 'outside.yaml'), join(folder, 'inner', 'link.yaml'));
    for (const reference of ['../outside.yaml', 'link.yaml', 'https://a.example/x.yaml', '/etc/passwd']) {
      const error = await refusal(load(describing({ $ref: reference }), join('inner', 'openapi.yaml')));
      expect(error.message).toContain('which is not followed');
    }
    const missing = await refusal(load(describing({ $ref: 'gone.yaml' }), join('inner', 'openapi.yaml')));
    expect(missing.message).toContain('gone.yaml: the document does not exist');
  });
});

describe('a document at a URL', () => {
  const servers: Server[] = [];

  async function serve(listener: RequestListener): Promise<string> {
    const server = createServer(listener);
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  afterEach(() => {
    for (const server of servers.splice(0)) {
      server.closeAllConnections();
      server.close();
    }
  });

  it('is fetched with what it refers to, within its origin', async () => {
    const files: Readonly<Record<string, string>> = {
      '/docs/openapi.yaml': stringify(describing({ $ref: '../schemas/Thing.yaml' })),
      '/schemas/Thing.yaml': stringify({ type: 'integer' }),
    };
    const origin = await serve((request, response) => {
      if (request.url === '/old') response.writeHead(302, { location: '/docs/openapi.yaml' }).end();
      else response.end(files[new URL(request.url ?? '', 'http://x').pathname]);
    });
    const document = await loadDocument(`${origin}/docs/openapi.yaml?token=hidden`, contract);
    expect(document.source).toBe(`${origin}/docs/openapi.yaml`);
    expect(verdict(document, 'x')).toEqual({ ok: false, errors: ['the body must be integer'] });
    expect(verdict(await loadDocument(`${origin}/old`, contract), 1)).toEqual({ ok: true });
  });

  it('is refused where it leads elsewhere, or is not there', async () => {
    const elsewhere = await serve((_request, response) => response.end(stringify(describing({}))));
    const origin = await serve((request, response) => {
      if (request.url === '/away') response.writeHead(302, { location: `${elsewhere}/x` }).end();
      else if (request.url === '/round') response.writeHead(302, { location: '/round' }).end();
      else if (request.url === '/reference') response.end(stringify(describing({ $ref: `${elsewhere}/x` })));
      else if (request.url === '/endless') {
        const timer = setInterval(() => response.write('x'.repeat(1024 * 1024)), 1);
        response.on('close', () => clearInterval(timer));
      } else response.writeHead(404).end();
    });
    const told = async (path: string): Promise<string> =>
      (await refusal(loadDocument(origin + path, contract))).message;
    expect(await told('/away')).toContain('redirects to');
    expect(await told('/round')).toContain('without end');
    expect(await told('/reference')).toContain('which is not followed');
    expect(await told('/gone')).toContain('answers 404');
    expect(await told('/endless')).toContain('larger than');
    const nobody = await refusal(loadDocument('http://127.0.0.1:1/openapi.yaml', contract));
    expect(nobody.message).toContain('cannot be fetched');
  });
});

function bomb(): string {
  const lines = ['openapi: 3.1.0', 'a0: &a0 [x, x, x, x, x, x, x, x, x, x]'];
  for (let level = 1; level < 10; level += 1) {
    lines.push(`a${level}: &a${level} [${Array.from({ length: 10 }, () => `*a${level - 1}`).join(', ')}]`);
  }
  return `${lines.join('\n')}\n`;
}
