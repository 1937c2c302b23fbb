import type { Format } from 'ajv';

const dateTime = /^(\d{4}-\d\d-\d\d)T(?:[01]\d|2[0-3]):[0-5]\d:(?:[0-5]\d|60)(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/i;
const day = /^(\d{4})-(\d\d)-(\d\d)$/;
const uuid = /^(?:urn:uuid:)?[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * The formats that are held against answers: those of which nobody can be in two minds. For OpenAPI 3.1 a format only
 * annotates, and libraries differ on the others, such as on addresses outside ASCII.
 */
export const assertedFormats: Readonly<Record<string, Format>> = {
  // Ajv's own takes a space for the T.
  'date-time': (text: string) => isDay(dateTime.exec(text)?.[1] ?? ''),
  date: isDay,
  uuid,
  uri: /^[a-z][a-z0-9+.-]*:\S*$/i,
  int32: { type: 'number', validate: (value) => Number.isInteger(value) && Math.abs(value) <= 2 ** 31 },
  int64: { type: 'number', validate: (value) => Number.isInteger(value) && Math.abs(value) <= 2 ** 63 },
};

function isDay(text: string): boolean {
  const [, year = '', month = '', date = ''] = day.exec(text) ?? [];
  const days = new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate();
  return month >= '01' && month <= '12' && date >= '01' && Number(date) <= days;
}
