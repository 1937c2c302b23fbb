import { parse, stringify } from 'yaml';
import { type Envelope, enclose, type PayloadType } from '../../harness/certification/envelope.ts';
import { readPrivateKey } from '../../harness/certification/signing-key.ts';
import { mutateText } from './mutate-text.ts';
import { mutateValue } from './mutate-value.ts';
import { below, type Random } from './random-choice.ts';

/** JSON that is written without indentation. */
const manyLevels = /(?:[[{](?:"[^"]*":)?){500}/;

export function mutateJson(text: string, random: Random): string | Buffer {
  if (below(random, 5) === 0) return mutateText(text, random);
  const value = mutateValue(JSON.parse(text), random);
  const compact = JSON.stringify(value);
  // The indentation of many levels would take hundreds of megabytes, in this process.
  return manyLevels.test(compact) ? compact : `${JSON.stringify(value, null, 2)}\n`;
}

export function mutateYaml(text: string, random: Random): string | Buffer {
  if (below(random, 3) === 0) return mutateText(text, random);
  const value = mutateValue(parse(text), random);
  const json = JSON.stringify(value);
  // JSON is YAML too, and the library takes gigabytes for many levels.
  if (below(random, 2) === 0 || manyLevels.test(json)) return json;
  return stringify(value, { aliasDuplicateObjects: false });
}

/** Mutates an envelope, or its payload under a new signature. */
export function mutateEnvelope(text: string, privateKey: string, random: Random): string | Buffer {
  if (below(random, 3) === 0) return mutateJson(text, random);
  return JSON.stringify(mutatePayload(JSON.parse(text) as Envelope, privateKey, random), null, 2);
}

export function mutatePayload(envelope: Envelope, privateKey: string, random: Random): Envelope {
  return {
    ...envelope,
    ...sign(mutateValue(payloadOf(envelope), random), envelope.payloadType, privateKey),
  };
}

export function payloadOf(envelope: Envelope): unknown {
  return JSON.parse(Buffer.from(envelope.payload, 'base64').toString());
}

export function sign(payload: unknown, type: PayloadType, privateKey: string): Envelope {
  return enclose(JSON.stringify(payload) ?? 'null', readPrivateKey(privateKey, 'mutants'), type);
}
