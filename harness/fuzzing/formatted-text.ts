import fc, { type Arbitrary } from 'fast-check';

const whole = {
  min: new Date('1970-01-01T00:00:00Z'),
  max: new Date('2099-12-31T00:00:00Z'),
  noInvalidDate: true,
};

/** Texts of a format of JSON Schema or OpenAPI; undefined for one that says nothing that could be made up. */
export function formattedText(format: string): Arbitrary<string> | undefined {
  switch (format) {
    case 'date-time':
      return fc.date(whole).map((date) => date.toISOString());
    case 'date':
      return fc.date(whole).map((date) => date.toISOString().slice(0, 10));
    case 'time':
      return fc.date(whole).map((date) => `${date.toISOString().slice(11, 19)}Z`);
    case 'duration':
      return fc.nat(90).map((days) => `P${days}D`);
    case 'uuid':
      return fc.uuid();
    case 'uri':
    case 'url':
    case 'iri':
    case 'uri-reference':
      return fc.webUrl({ validSchemes: ['https'] });
    case 'email':
      return fc.emailAddress();
    case 'hostname':
      return fc.domain();
    case 'ipv4':
      return fc.ipV4();
    case 'ipv6':
      return fc.ipV6();
    case 'byte':
      return fc.base64String();
    default:
      return undefined;
  }
}
