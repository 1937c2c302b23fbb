import fc from 'fast-check';

/** Any character but halves of one: the unit `binary` of fast-check, which first makes a table of all that takes a second. */
export const anyCharacter: fc.Arbitrary<string> = fc
  .nat(0x10_f7_ff)
  .map((at) => String.fromCodePoint(at < 0xd8_00 ? at : at + 0x8_00));
