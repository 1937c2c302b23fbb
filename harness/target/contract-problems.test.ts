import { it } from 'vitest';
import { ids } from '../../spec/operation-ids-for-tests.ts';
import { base, expectRefusal, type Refusal } from './refusals-for-tests.ts';

const refusals: readonly Refusal[] = [
  [
    'an unknown parameter',
    `${base}parameters:\n  slgu: x\n`,
    'target.yaml:3:3 (parameters.slgu): unknown parameter "slgu"',
    'write slug',
  ],
  [
    'an unknown operation',
    `${base}parameters:\n  getPublicProdct: { slug: x }\n`,
    'target.yaml:3:3 (parameters.getPublicProdct)',
    `write ${ids.product}`,
  ],
  [
    'a parameter of another operation',
    `${base}parameters:\n  ${ids.product}: { store: x }\n`,
    `target.yaml:3:23 (parameters.${ids.product}.store): ${ids.product} has no path parameter "store"`,
    'use one of slug',
  ],
  [
    'an operation without parameters',
    `${base}parameters:\n  ${ids.bootstrap}: { slug: x }\n`,
    'has no path parameter "slug"',
    'remove it',
  ],
  [
    'text for an operation',
    `${base}parameters:\n  ${ids.product}: x\n`,
    `target.yaml:3:21 (parameters.${ids.product})`,
    `write ${ids.product}: { slug: … }`,
  ],
  [
    'a map for a parameter',
    `${base}parameters:\n  slug: { a: b }\n`,
    'target.yaml:3:9 (parameters.slug): slug is a parameter and takes text',
  ],
  [
    'a dot segment',
    `${base}parameters:\n  slug: ..\n`,
    'target.yaml:3:9 (parameters.slug): the value .. cannot be sent',
  ],
  [
    'a lone surrogate',
    `${base}parameters:\n  slug: "\\uD800"\n`,
    'target.yaml:3:9 (parameters.slug): the value is not well-formed Unicode',
  ],
  [
    'a body for nobody',
    `${base}bodies:\n  createHostedCheckout: {}\n`,
    'target.yaml:3:3 (bodies.createHostedCheckout): unknown operation',
    `write ${ids.create}`,
  ],
  [
    'a body that is not taken',
    `${base}bodies:\n  ${ids.product}: {}\n`,
    `target.yaml:3:3 (bodies.${ids.product}): ${ids.product} takes no body`,
    `bodies are for ${ids.initiate}`,
  ],
  [
    'an exclusion for nobody',
    `${base}exclude:\n  - { class: long, reason: x, operation: getProduct, parameter: stor }\n`,
    'target.yaml:3:42 (exclude[0].operation)',
    `write ${ids.product}`,
    'target.yaml:3:65 (exclude[0].parameter): no operation has a path parameter "stor"',
    'write store',
  ],
];

it.each(refusals)('refuses %s', (_, text, ...parts) => expectRefusal(text, parts));
