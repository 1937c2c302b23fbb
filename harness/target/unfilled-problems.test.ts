import { it } from 'vitest';
import { ids } from '../../spec/operation-ids-for-tests.ts';
import { base, expectRefusal, type Refusal } from './refusals-for-tests.ts';

const refusals: readonly Refusal[] = [
  [
    'a body as doctor proposes it',
    `${base}bodies:\n  ${ids.initiate}: { … }\n`,
    'target.yaml:3:24: { … } stands for what only you know',
    'put it in, or remove the line',
  ],
  [
    'a body as reports propose it',
    `${base}bodies: { ${ids.initiate}: { … a valid HostedLoginInitiateRequest … } }\n`,
    'target.yaml:2:32: { … a valid HostedLoginInitiateRequest … } stands for what only you know',
    'put it in, or remove the line',
  ],
  [
    'a parameter as reports propose it',
    `${base}parameters: { ${ids.product}: { slug: <one that exists> } }\n`,
    `(parameters.${ids.product}.slug): <one that exists> stands for what only you know`,
    'put it in, or remove the line',
  ],
];

it.each(refusals)('refuses %s', (_, text, ...parts) => expectRefusal(text, parts));
