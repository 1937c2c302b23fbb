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
  [
    'a value of what no operation takes',
    `${base}values:\n  - { in: slugg, value: x }\n`,
    'target.yaml:3:11 (values[0].in): no operation takes a value in "slugg"',
    'write slug',
  ],
  [
    'a body of no operation',
    `${base}values:\n  - { in: body, value: {} }\n`,
    'target.yaml:3:5 (values[0]): a body needs an operation',
  ],
  [
    'a body where none is taken',
    `${base}values:\n  - { in: body, value: {}, operation: ${ids.product} }\n`,
    `${ids.product} does not take a value in "body"`,
  ],
  [
    'a query that cannot be sent, a header without a name, a path value that is no text',
    `${base}values:\n  - { in: query, value: 'a b' }\n  - { in: header, value: x }\n  - { in: slug, value: 1 }\n`,
    '(values[0].value): the query contains a character',
    '(values[1].value): a header needs a name',
    '(values[2].value): the value is not text',
  ],
];

it.each(refusals)('refuses %s', (_, text, ...parts) => expectRefusal(text, parts));
