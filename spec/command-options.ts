import type { Flags } from './options.ts';

/** The options that belong to one command, by command; those of a run are in `options.ts`. */
export const commandOptions = {
  render: {
    format: {
      value: '<list>',
      type: 'lists',
      required: true,
      help: 'html, junit, markdown, badge, allure; comma-separated or repeated',
    },
    out: { value: '<dir>', usual: 'beside the report', help: 'folder of the files; - for standard output' },
  },
  diff: {
    format: {
      value: '<format>',
      choices: ['terminal', 'json', 'markdown'],
      default: 'terminal',
      help: 'output format',
    },
  },
  baseline: {
    owner: { value: '<name>', type: 'filled', required: true, help: 'who is responsible for them' },
    reason: { value: '<text>', type: 'filled', required: true, help: 'why a release may have them' },
    expires: {
      value: '<day>',
      type: 'day',
      required: true,
      help: 'the last day on which they are accepted, such as 2027-01-31',
    },
    warnings: { help: 'accept warnings too, for runs with --strict' },
    file: { value: '<file>', usual: 'standard output', help: 'where to write it' },
    force: { help: 'replace an existing file' },
  },
  replay: {
    report: {
      value: '<file>',
      default: 'conformance-report',
      help: 'report.json that holds the finding, or its folder',
    },
    script: { help: 'send nothing, and print a shell script that sends every step with curl' },
  },
  init: {
    file: { value: '<file>', default: 'target.yaml', help: 'where to write it' },
    force: { help: 'replace an existing file' },
    offline: { help: 'send nothing' },
  },
  checks: { checks: { value: '<dir>', help: 'folder of custom checks, listed after the built-in ones' } },
  explain: { checks: { value: '<dir>', help: 'folder of custom checks to explain as well' } },
  serve: {
    port: { type: 'integer', least: 0, help: 'port; a free one if left out' },
    shape: {
      value: '<name>',
      help: 'another conforming shape: reference, bearer-nested, prefixed-snake, problem-terse, enveloped-bearer, gateway-terse',
    },
    fault: { value: '<name>', help: 'with one deliberate violation; "list" prints all' },
    variant: { value: '<name>', help: 'unusual but conforming; "list" prints all' },
    rateLimit: { type: 'number', least: 0.1, help: 'requests per second before it throttles' },
    writeTarget: { value: '<file>', help: 'write a matching target file, including keys' },
    writeSpec: { value: '<file>', help: 'write its OpenAPI document, as a platform would publish it' },
  },
  challenge: {
    vendor: { value: '<name>', required: true, help: 'the vendor' },
    product: { value: '<name>', required: true, help: 'the product' },
    baseUrl: { value: '<url>', required: true, help: 'where the implementation is' },
    days: { type: 'integer', least: 1, default: 14, help: 'days that the vendor has' },
    signKey: { value: '<file>', required: true, help: 'PEM file of your Ed25519 private key; see keygen' },
    vendorKey: { value: '<file>', help: "PEM file of the vendor's public key, the only one that may sign" },
    development: { help: 'allow a service on loopback, as a rehearsal' },
    out: { value: '<file>', default: 'challenge.json', help: 'where the challenge goes' },
  },
  verify: {
    publicKey: { value: '<file>', help: "PEM file of the vendor's public key, which must have signed" },
    ownerKey: { value: '<file>', help: "PEM file of the programme owner's public key" },
    require: {
      value: '<level>',
      choices: ['self-declared', 'signed', 'challenged', 'countersigned'],
      default: 'signed',
      help: 'the level of trust that it must reach',
    },
    baseUrl: { value: '<url>', help: 'the base URL that it must be about' },
    vendor: { value: '<name>', help: "the vendor that the owner's challenge must name" },
    maxAge: { value: '<days>', type: 'number', least: 0, help: 'maximum days since the run' },
    development: { help: 'accept a development certificate' },
    json: { help: 'print the result as JSON' },
  },
  'spot-check': {
    cases: { type: 'integer', least: 1, default: 40, help: 'cases to repeat; every operation at least once' },
    out: { value: '<file>', default: 'spot-check.json', help: 'where the result goes, for countersign' },
  },
  countersign: {
    spotCheck: { value: '<file>', required: true, help: 'the result that spot-check wrote' },
    signKey: {
      value: '<file>',
      required: true,
      help: 'PEM file of your Ed25519 private key, which signed the challenge',
    },
    publicKey: { value: '<file>', help: "PEM file of the vendor's public key, if the challenge names none" },
    development: { help: 'accept a development certificate' },
  },
  register: {
    out: { value: '<site>', required: true, help: 'folder of the site' },
    ownerKey: { value: '<file>', required: true, help: 'PEM file of your public key' },
    require: {
      value: '<level>',
      choices: ['self-declared', 'signed', 'challenged', 'countersigned'],
      default: 'countersigned',
      help: 'the level of trust that an entry must reach',
    },
    development: { help: 'list development certificates too' },
  },
  'check-register': {
    targets: {
      value: '<folder>',
      required: true,
      help: 'folder with NAME.yaml, the target file of each entry',
    },
    ownerKey: { value: '<file>', required: true, help: 'PEM file of your public key' },
    out: {
      value: '<folder>',
      default: 'spot-checks',
      help: 'folder for NAME.md of each entry that no longer holds',
    },
    cases: { type: 'integer', least: 1, default: 40, help: 'cases to repeat' },
    atOnce: { type: 'integer', least: 1, default: 4, help: 'entries under way at once' },
    shard: { value: '<i/n>', help: 'only the i-th of n parts of the entries, such as 2/4' },
    development: { help: 'check development certificates too' },
  },
  keygen: { out: { value: '<dir>', default: '.', help: 'folder of the two files' } },
} as const;

/** The values of the options that belong to a command. */
export type CommandFlags<Command extends keyof typeof commandOptions> = Flags<
  (typeof commandOptions)[Command]
>;
