import { expect, it } from 'vitest';
import { LargeTexts } from './large-texts.ts';

it('makes what belongs to a text once, and forgets all rather than grow', () => {
  const made: string[] = [];
  const texts = new LargeTexts<string>(2);
  const ask = (text: string): string =>
    texts.of(text, () => {
      made.push(text);
      return text.toUpperCase();
    });
  expect(['a', 'b', 'a', 'c', 'a'].map(ask)).toEqual(['A', 'B', 'A', 'C', 'A']);
  expect(made).toEqual(['a', 'b', 'c', 'a']);
  expect(texts.of(Buffer.from('a'), () => 'anew')).toBe('A');
});
