export function firstFew(texts: readonly string[], most: number, more: string = 'more'): readonly string[] {
  const left = texts.length - most;
  return left > 0 ? [...texts.slice(0, most), `and ${left} ${more}`] : texts;
}
