import { join } from 'node:path';
import { packageRoot } from '../../spec/package-root.ts';
import type { Command, Need } from './part.ts';

/** Folder of the services and of the configurations of the fronts. */
export const stacksFolder: string = join(packageRoot, 'fixtures', 'stacks');

/** A conforming service on a framework. */
export interface Service {
  readonly name: string;
  readonly stack: string;
  readonly needs: readonly Need[];
  /** Path of the OpenAPI document that the framework serves; absent where it serves none. */
  readonly document?: string;
  /** Compiles the service in its folder; absent where the needs say how. */
  readonly build?: (folder: string) => Command;
  /** `folder` holds the folder of the service: that of the corpus, or a changed copy. */
  readonly start: (port: number, folder: string) => Command;
}

const shop = join(stacksFolder, 'shop.json');
const inFolder = (...parts: readonly string[]): string => join(stacksFolder, ...parts);
const python = (name: string): Need => ({
  file: inFolder('.venv', 'bin', name),
  provide:
    'cd fixtures/stacks && python3 -m venv .venv && .venv/bin/pip install fastapi uvicorn flask gunicorn -r django/requirements.txt',
});
const inVenv = (name: string): string => inFolder('.venv', 'bin', name);

/** All services of the corpus. */
export const services: readonly Service[] = [
  {
    name: 'go',
    stack: 'Go, net/http ServeMux',
    needs: [{ file: inFolder('go', 'shop'), provide: 'cd fixtures/stacks/go && go build -o shop .' }],
    start: (port) => ({ file: inFolder('go', 'shop'), args: [shop, String(port)] }),
  },
  {
    name: 'fastapi',
    stack: 'Python, FastAPI on uvicorn',
    document: '/openapi.json',
    needs: [python('uvicorn')],
    start: (port) => ({
      file: inFolder('.venv', 'bin', 'uvicorn'),
      args: ['shop:app', '--app-dir', inFolder('fastapi'), '--port', String(port), '--log-level', 'error'],
      env: { SHOP: shop },
    }),
  },
  {
    name: 'flask',
    stack: 'Python, Flask on gunicorn',
    needs: [python('gunicorn')],
    start: (port) => ({
      file: inFolder('.venv', 'bin', 'gunicorn'),
      args: [
        ...['--chdir', inFolder('flask'), '--bind', `127.0.0.1:${port}`, '--threads', '8'],
        ...['--limit-request-line', '8190', '--log-level', 'error', 'shop:app'],
      ],
      env: { SHOP: shop },
    }),
  },
  {
    name: 'express',
    stack: 'Node.js, Express',
    needs: [
      {
        file: inFolder('express', 'node_modules', 'express', 'package.json'),
        provide: 'cd fixtures/stacks/express && npm install --no-package-lock',
      },
    ],
    start: (port) => ({
      file: process.execPath,
      args: [inFolder('express', 'shop.mjs'), shop, String(port)],
    }),
  },
  {
    name: 'spring',
    stack: 'Java, Spring Boot on Tomcat',
    needs: [
      { file: 'java', provide: 'apt-get install default-jre-headless' },
      {
        file: inFolder('spring', 'target', 'shop.jar'),
        provide: 'cd fixtures/stacks/spring && mvn --quiet package',
      },
    ],
    start: (port) => ({
      file: 'java',
      args: [
        ...['-jar', inFolder('spring', 'target', 'shop.jar'), `--shop=${shop}`, `--server.port=${port}`],
        ...['--server.address=127.0.0.1', '--logging.level.root=ERROR', '--spring.main.banner-mode=off'],
      ],
    }),
  },
  {
    name: 'axum',
    stack: 'Rust, axum',
    needs: [
      {
        file: inFolder('axum', 'target', 'debug', 'shop'),
        provide: 'cd fixtures/stacks/axum && cargo build',
      },
    ],
    start: (port) => ({ file: inFolder('axum', 'target', 'debug', 'shop'), args: [shop, String(port)] }),
  },
  {
    name: 'django',
    stack: 'Python, Django REST framework on gunicorn',
    needs: [python('django-admin')],
    start: (port, folder) => ({
      file: inVenv('gunicorn'),
      args: ['--chdir', join(folder, 'django'), '--config', join(folder, 'django', 'gunicorn.conf.py')],
      env: { SHOP: shop, PORT: String(port), PYTHONDONTWRITEBYTECODE: '1' },
    }),
  },
  {
    name: 'nest',
    stack: 'Node.js, NestJS on Express',
    needs: [
      {
        file: inFolder('nest', 'dist', 'main.js'),
        provide: 'cd fixtures/stacks/nest && npm install --no-package-lock && npm run build',
      },
    ],
    build: (folder) => ({
      file: join(folder, 'node_modules', '.bin', 'tsc'),
      args: ['--project', folder],
    }),
    start: (port, folder) => ({
      file: process.execPath,
      args: [join(folder, 'nest', 'dist', 'main.js'), shop, String(port)],
    }),
  },
];
