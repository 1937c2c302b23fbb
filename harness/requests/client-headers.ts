/**
 * What clients, browsers and proxies send, by header in lower case. No firewall blocks these values by the usual rules, no
 * grammar forbids them, and a conforming service answers as without them.
 */
export const clientHeaders = {
  accept: {
    any: '*/*',
    library: 'application/json, text/plain, */*',
    browser:
      'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8,application/signed-exchange;v=b3;q=0.7',
    weighted: 'text/plain;q=0.1, application/json;q=0.9',
    range: 'application/*',
    // The problem of RFC 9457 is one of the forms that it takes; the contract has one form of errors.
    versioned: 'application/json;version=1, application/problem+json, */*;q=0.8',
    charset: 'application/json; charset=utf-8, */*;q=0.1',
  },
  'accept-encoding': {
    browser: 'gzip, deflate, br',
    gzip: 'gzip',
    identity: 'identity',
    identityAlone: 'identity;q=1, *;q=0',
    weighted: 'br;q=1.0, deflate;q=0.5',
    withoutGzip: 'deflate, gzip;q=0',
  },
  'accept-language': {
    german: 'de-DE,de;q=0.9,en;q=0.7',
    french: 'fr-FR,fr;q=0.9',
    // Its capital of i is another letter than elsewhere.
    turkish: 'tr-TR,tr;q=0.9',
    japanese: 'ja-JP,ja;q=0.9',
    several: 'zh-Hant-TW,zh-Hans-CN;q=0.9,es-419;q=0.8',
    many: 'ar, tr-TR;q=0.9, zh-CN;q=0.8, ru;q=0.7, pt-BR;q=0.6, *;q=0.5',
  },
  'user-agent': {
    desktop: 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0',
    // That of a browser inside of an app, which is longer than 255 characters.
    telephone:
      'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 [FBAN/FBIOS;FBAV/466.0.0.46.107;FBBV/610234567;FBDV/iPhone15,2;FBMD/iPhone;FBSN/iOS;FBSV/17.5;FBSS/3;FBID/phone;FBLC/en_GB;FBOP/5;FBRV/612345678;IABMV/1]',
    library: 'okhttp/4.12.0',
  },
  cookie: {
    session: 'session=expired',
    analytics: '_ga=GA1.2.3; _ga=GA1.2.4; consent=%7B%7D',
    shop: 'JSESSIONID=0; PHPSESSID=never-issued; sessionid=never-issued; lang=de; currency=EUR; cart=never-issued',
    undecodable: 'SESSION=%%%; connect.sid=%; laravel_session=%zz; .AspNetCore.Session=%; _session_id=%',
  },
  'cache-control': {
    unread: 'no-cache',
    outdated: 'max-age=0',
    stale: 'max-stale=60, stale-if-error=60',
    young: 'max-age=60',
    unstored: 'no-store',
  },
  pragma: { unread: 'no-cache' },
  // The page of a developer is as foreign as any other, but some frameworks trust it by default.
  origin: { foreign: 'https://shop.example', opaque: 'null', local: 'http://localhost:3000' },
  referer: { page: 'https://shop.example/', relative: '/catalog?page=1', local: 'http://localhost:3000/' },
  'sec-fetch-site': { foreign: 'cross-site', same: 'same-origin' },
  'x-requested-with': { script: 'XMLHttpRequest', app: 'com.example.shop' },
  dnt: { yes: '1' },
  connection: { close: 'close', kept: 'keep-alive' },
  'sec-ch-ua': { desktop: '"Not;A,Brand";v="8", "Chromium";v="126"' },
  'upgrade-insecure-requests': { yes: '1' },
  te: { trailers: 'trailers' },
  // A clock that is wrong, or a message that was delayed.
  date: { past: 'Sat, 29 Oct 1994 19:43:31 GMT' },
  via: { proxy: '1.1 edge.example, 1.1 proxy.example' },
  'x-forwarded-for': {
    proxies: '203.0.113.7, 198.51.100.2',
    hidden: 'unknown',
    withPort: '203.0.113.7:49152',
    ipv6: '2001:db8:cafe::17',
  },
  'x-forwarded-proto': { encrypted: 'https' },
  'x-real-ip': { client: '203.0.113.7' },
  priority: { soon: 'u=1, i' },
} as const;

/** Of a trace that nobody samples. */
export const unsampledTrace = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00';

/** What some clients, networks and tools for tracing add, as `clientHeaders`. */
export const rareHeaders: Readonly<Record<string, readonly string[]>> = {
  'sec-purpose': ['prefetch'],
  purpose: ['prefetch'],
  'save-data': ['on'],
  'sec-gpc': ['1'],
  'sec-fetch-mode': ['navigate', 'cors', 'no-cors'],
  'sec-fetch-dest': ['document', 'empty', 'script'],
  'sec-ch-ua-mobile': ['?1', '?0'],
  'sec-ch-ua-platform': ['"Windows"'],
  tracestate: ['vendor=00f067aa0ba902b7'],
  baggage: ['userId=alice,node=DF%2028'],
  b3: ['80f198ee56343ba864fe8b2a57d3eff7-e457b5a2e4d86bd1-1'],
  'x-amzn-trace-id': ['Root=1-5759e988-bd862e3fe1be46a994272793;Sampled=1'],
  'x-cloud-trace-context': ['105445aa7843bc8bf206b12000100000/1;o=1'],
  'cdn-loop': ['cdn.example;c=1'],
  'true-client-ip': ['203.0.113.7'],
  // What a proxy has cut off the path before; it changes links, but no route.
  'x-forwarded-prefix': ['/shop'],
  // Rails compares it with X-Forwarded-For, and raises where they differ.
  'client-ip': ['198.51.100.2'],
  'x-csrf-token': ['never-issued'],
  'x-timezone': ['Asia/Kathmandu'],
  from: ['robot@shop.example'],
};
