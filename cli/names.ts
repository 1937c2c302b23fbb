/** Characters that mislead readers: controls, directions, fillers, characters without a glyph, and unusual spaces. */
const unprintable =
  /[\p{Cc}\p{Cf}\p{Cn}\p{Co}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]|(?! )\p{Zs}|^ | $| {2}/u;

/** Whether a name has characters that readers do not see. */
export function isUnprintable(name: string): boolean {
  return unprintable.test(name);
}

/** Single characters that look like several letters, which no name contains. */
const tradeMark = /[™℠]/g;

/** Scripts that may occur together in a word: those of Chinese, Japanese and Korean, with Latin letters (UTS 39). */
const together: readonly RegExp[] = [
  /^[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Latin}]*$/u,
  /^[\p{sc=Han}\p{sc=Bopomofo}\p{sc=Latin}]*$/u,
  /^[\p{sc=Han}\p{sc=Hangul}\p{sc=Latin}]*$/u,
];

/** The other scripts that are in use (UAX 31); one of the past is nobody's. */
const alone: readonly RegExp[] = `
  Adlam Arabic Armenian Balinese Bamum Batak Bengali Canadian_Aboriginal Chakma Cham Cherokee Cyrillic Devanagari Ethiopic
  Georgian Greek Gujarati Gurmukhi Hanifi_Rohingya Hebrew Javanese Kannada Kayah_Li Khmer Lao Lepcha Limbu Lisu Malayalam
  Mandaic Meetei_Mayek Miao Mongolian Myanmar New_Tai_Lue Newa Nko Nyiakeng_Puachue_Hmong Ol_Chiki Oriya Osage Saurashtra
  Sinhala Sundanese Syloti_Nagri Syriac Tai_Le Tai_Tham Tai_Viet Tamil Telugu Thaana Thai Tibetan Tifinagh Vai Wancho Yi`
  .trim()
  .split(/\s+/)
  .map((script) => new RegExp(`^\\p{sc=${script}}*$`, 'u'));

/** Whether a word mixes alphabets, or a character is written in an unusual form. */
export function mayLookLikeAnother(name: string): boolean {
  const words = name.replaceAll(/[\p{sc=Common}\p{sc=Inherited}]/gu, (one) =>
    /[\p{L}\p{M}\p{N}]/u.test(one) ? '' : ' ',
  );
  return (
    name.replaceAll(tradeMark, '').normalize('NFKC') !== name.replaceAll(tradeMark, '') ||
    /[\u{1f130}-\u{1f1ff}]/u.test(name) ||
    words.split(' ').some((word) => ![...together, ...alone].some((script) => script.test(word)))
  );
}
