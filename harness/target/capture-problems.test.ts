import { it } from 'vitest';
import { ids } from '../../spec/operation-ids-for-tests.ts';
import { base, expectRefusal, type Refusal } from './refusals-for-tests.ts';

const refusals: readonly Refusal[] = [
  [
    'an undefined name',
    `${base}bodies:\n  ${ids.initiate}:\n    a: [1, 'x {logn} y']\ncaptures: { login: { from: ${ids.create}, pointer: /a } }\n`,
    `target.yaml:4:12 (bodies.${ids.initiate}.a[1]): {logn} is defined by no capture`,
    'write login',
  ],
  [
    'a bad pointer',
    `${base}captures:\n  sessionId: data.id\n`,
    'target.yaml:3:14 (captures.sessionId): "data.id" is not a JSON Pointer',
    'write /data/id',
  ],
  ['a JSONPath', `${base}captures:\n  sessionId: $.data[0].id\n`, 'write /data/0/id'],
  ['a bad escape', `${base}captures:\n  sessionId: /a~b\n`, '~ must be followed by 0 or 1', 'write ~0'],
  [
    'a long form without pointer',
    `${base}captures:\n  a: { from: ${ids.initiate} }\n`,
    'target.yaml:3:6 (captures.a.pointer): captures.a.pointer is missing',
    'add pointer: /state',
  ],
  [
    'a capture from nowhere',
    `${base}captures:\n  a: { from: initiateLogin, pointer: /a }\n`,
    'target.yaml:3:14 (captures.a.from): unknown operation "initiateLogin"',
    `write ${ids.initiate}`,
  ],
  [
    'a short form without creator',
    `${base}captures:\n  loginState: /state\n`,
    'target.yaml:3:15 (captures.loginState)',
    'write loginState: { from: <operationId>, pointer: /state }',
  ],
  [
    'a capture of the built-in name',
    `${base}captures:\n  unique: { from: ${ids.initiate}, pointer: /a }\n`,
    'target.yaml:3:3 (captures.unique): unique cannot be captured',
  ],
  [
    'a name that cannot be written',
    `${base}captures:\n  'a b': { from: ${ids.initiate}, pointer: /a }\n`,
    'target.yaml:3:3 (captures["a b"]): "a b" cannot be the name of a captured value',
  ],
  [
    'a capture that needs itself',
    `${base}bodies:\n  ${ids.initiate}: { s: '{b}' }\n  ${ids.consume}: { s: '{a}' }\ncaptures:\n  a: { from: ${ids.initiate}, pointer: /a }\n  b: { from: ${ids.consume}, pointer: /b }\n`,
    'target.yaml:6:6 (captures.a): captures.a needs itself',
    'target.yaml:7:6 (captures.b)',
  ],
  [
    'a session from its own read',
    `${base}captures:\n  sessionId: { from: ${ids.read}, pointer: /a }\n`,
    'captures.sessionId needs itself',
    `${ids.read} can only be called with {sessionId}`,
  ],
];

it.each(refusals)('refuses %s', (_, text, ...parts) => expectRefusal(text, parts));
