import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';

const text = { type: 'string', minLength: 1, pattern: '\\S' };
const validations = {
  type: 'object',
  properties: { required: { type: 'boolean' } },
  additionalProperties: false,
};

/** The attributes that each kind of element may have; the label is what people read above it. */
const kinds: Readonly<Record<string, { readonly needs: readonly string[]; readonly may: object }>> = {
  markdown: { needs: ['value'], may: { value: text } },
  input: { needs: ['label'], may: { label: text, description: text, placeholder: text, value: text } },
  textarea: {
    needs: ['label'],
    may: { label: text, description: text, placeholder: text, value: text, render: text },
  },
  dropdown: {
    needs: ['label', 'options'],
    may: {
      label: text,
      description: text,
      multiple: { type: 'boolean' },
      default: { type: 'integer', minimum: 0 },
      // GitHub offers None by itself, and takes only strings, which yes and no are not.
      options: {
        type: 'array',
        minItems: 1,
        uniqueItems: true,
        items: { ...text, not: { pattern: '^[Nn]one$' } },
      },
    },
  },
  checkboxes: {
    needs: ['label', 'options'],
    may: {
      label: text,
      description: text,
      options: {
        type: 'array',
        minItems: 1,
        items: {
          type: 'object',
          required: ['label'],
          properties: { label: text, required: { type: 'boolean' } },
          additionalProperties: false,
        },
      },
    },
  },
};

const elements = Object.entries(kinds).map(([kind, { needs, may }]) => ({
  type: 'object',
  required: ['type', 'attributes'],
  properties: {
    type: { const: kind },
    attributes: { type: 'object', required: needs, properties: may, additionalProperties: false },
    ...(kind === 'markdown' ? {} : { id: { type: 'string', pattern: '^[A-Za-z0-9_-]+$' } }),
    ...(kind === 'markdown' || kind === 'checkboxes' ? {} : { validations }),
  },
  additionalProperties: false,
}));

const schema = {
  type: 'object',
  required: ['name', 'description', 'body'],
  properties: {
    name: text,
    description: text,
    title: text,
    labels: { type: 'array', uniqueItems: true, items: text },
    body: {
      type: 'array',
      minItems: 1,
      contains: { properties: { type: { not: { const: 'markdown' } } } },
      items: { oneOf: elements },
    },
  },
  additionalProperties: false,
};

/** Says whether GitHub would show a form: one with a mistake is left out of the choice without a word. */
export const validateIssueForm: ValidateFunction = new Ajv2020({ strict: false, allErrors: true }).compile(
  schema,
);
