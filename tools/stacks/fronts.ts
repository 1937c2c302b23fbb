import { join } from 'node:path';
import type { Command, Need } from './part.ts';

/** A reverse proxy, cache or firewall in front of a service. */
export interface Front {
  readonly name: string;
  readonly says: string;
  /** Names of responders that its root causes may have. */
  readonly responders: readonly string[];
  /** The most root causes that a run may report with default settings. */
  readonly mostRootCauses: number;
  readonly needs: readonly Need[];
  /** File in `fixtures/stacks/fronts`. */
  readonly template: string;
  /** Marked lines of the template that count, by the name of the setting. */
  readonly settings: Readonly<Record<'default' | 'recommended', readonly string[]>>;
  readonly usesTls?: true;
  readonly start: (file: string, folder: string, port: number) => Command;
}

const fromDebian = (file: string, name: string): Need => ({ file, provide: `apt-get install ${name}` });
const nginx: Pick<Front, 'responders' | 'mostRootCauses' | 'needs' | 'template' | 'start'> = {
  responders: ['nginx'],
  mostRootCauses: 1,
  needs: [fromDebian('nginx', 'nginx')],
  template: 'nginx.conf',
  start: (file, folder) => ({
    file: 'nginx',
    args: ['-c', file, '-p', folder, '-e', join(folder, 'error.log')],
  }),
};
const haproxy: Pick<Front, 'responders' | 'mostRootCauses' | 'needs' | 'template' | 'start'> = {
  // HAProxy refuses what it cannot parse without naming itself.
  responders: ['HAProxy', 'HTTP parser'],
  mostRootCauses: 1,
  needs: [fromDebian('haproxy', 'haproxy')],
  template: 'haproxy.cfg',
  start: (file) => ({ file: 'haproxy', args: ['-db', '-f', file] }),
};
const apache: Pick<Front, 'template' | 'start'> = {
  template: 'apache.conf',
  start: (file) => ({ file: 'apache2', args: ['-D', 'FOREGROUND', '-f', file] }),
};

/** All fronts of the corpus. */
export const fronts: readonly Front[] = [
  {
    ...nginx,
    name: 'nginx',
    says: 'nginx as a reverse proxy',
    settings: { default: [], recommended: ['recommended'] },
  },
  {
    ...nginx,
    name: 'nginx-limit-503',
    says: 'nginx with limit_req, which answers 503',
    settings: { default: ['limit'], recommended: ['limit', 'status-429', 'recommended'] },
  },
  {
    ...nginx,
    name: 'nginx-limit-429',
    says: 'nginx with limit_req and limit_req_status 429',
    // Its page under 429, and its pages for paths that it refuses: each has a setting of its own.
    mostRootCauses: 2,
    settings: { default: ['limit', 'status-429'], recommended: ['limit', 'status-429', 'recommended'] },
  },
  {
    ...nginx,
    name: 'nginx-http2',
    says: 'nginx as a terminator of TLS with HTTP/2',
    usesTls: true,
    settings: { default: ['tls'], recommended: ['tls', 'recommended'] },
  },
  {
    ...haproxy,
    name: 'haproxy',
    says: 'HAProxy as a reverse proxy',
    settings: { default: [], recommended: ['recommended'] },
  },
  {
    ...haproxy,
    name: 'haproxy-http2',
    says: 'HAProxy as a terminator of TLS with HTTP/2',
    usesTls: true,
    settings: { default: ['tls'], recommended: ['tls', 'recommended'] },
  },
  {
    ...apache,
    name: 'apache',
    says: 'Apache with mod_proxy',
    responders: ['Apache'],
    // Its pages, and semicolons that it decodes in front of a service that drops what follows them.
    mostRootCauses: 2,
    needs: [fromDebian('apache2', 'apache2')],
    settings: { default: ['default'], recommended: ['recommended'] },
  },
  {
    ...apache,
    name: 'firewall',
    says: 'Apache with ModSecurity and the OWASP rules',
    responders: ['Apache', 'A firewall or proxy', 'ModSecurity'],
    mostRootCauses: 2,
    needs: [
      fromDebian('apache2', 'apache2'),
      fromDebian('/usr/lib/apache2/modules/mod_security2.so', 'libapache2-mod-security2'),
      fromDebian('/usr/share/modsecurity-crs/owasp-crs.load', 'modsecurity-crs'),
    ],
    settings: {
      // What Apache does to paths by default is the matter of the front above.
      default: ['firewall-default', 'firewall'],
      recommended: ['recommended', 'firewall', 'firewall-recommended'],
    },
  },
  {
    name: 'caddy',
    says: 'Caddy as a reverse proxy',
    responders: ['Caddy', 'Go net/http'],
    mostRootCauses: 1,
    needs: [fromDebian('caddy', 'caddy')],
    template: 'Caddyfile',
    settings: { default: [], recommended: ['recommended'] },
    start: (file) => ({ file: 'caddy', args: ['run', '--adapter', 'caddyfile', '--config', file] }),
  },
  {
    name: 'varnish',
    says: 'Varnish as a cache',
    responders: ['Varnish', 'HTTP parser'],
    mostRootCauses: 1,
    needs: [fromDebian('varnishd', 'varnish')],
    template: 'varnish.vcl',
    settings: { default: [], recommended: ['recommended'] },
    start: (file, folder, port) => ({
      file: 'varnishd',
      args: ['-F', '-n', join(folder, 'n'), '-a', `127.0.0.1:${port}`, '-f', file, '-s', 'malloc,64m'],
    }),
  },
];
