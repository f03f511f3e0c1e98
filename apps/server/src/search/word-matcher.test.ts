import {
  containsWords,
  createExcerpt,
  findMatches,
  foldText,
  parseSearchQuery,
} from '@parley/contract';
import { isLongRun } from '@parley/testing/scope';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { measureCpu } from '../../test/measure-cpu.ts';
import { createWordMatcher } from './word-matcher.ts';

const texts = fc
  .array(fc.constantFrom(...Array.from('aabböeu. $^(|)*\\[x]ß👩‍💻1-\u00ad\ud800')), { maxLength: 40 })
  .map((parts) => parts.join(''));

test('finds the same as a search for each word', () => {
  const part = fc.record({ own: texts, start: fc.nat(20), length: fc.nat(8) });
  fc.assert(
    fc.property(part, texts, ({ own, start, length }, other) => {
      const words = parseSearchQuery(own.slice(start, start + length));
      const matches = createWordMatcher(words);
      for (const each of [foldText(own), foldText(other)]) {
        expect(matches(each)).toBe(containsWords(each, words));
      }
    }),
  );
});

test.runIf(isLongRun)(
  'takes much less time than `includes` for words whose first character fills the text',
  async () => {
    const letters = Array.from('bcdefghijklmnopqrstuvwxyz0123456');
    const words = parseSearchQuery(letters.map((each) => `a${each}`).join(' '));
    const matches = createWordMatcher(words);
    // The last word is missing.
    const found = letters.slice(0, -1).map((each) => `a${each}`);
    const text = `${'a'.repeat(1_000_000)} ${found.join(' ')}`;
    expect(matches(text)).toBe(false);
    const time = await measureCpu(() => matches(text));
    expect(time).toBeLessThan((await measureCpu(() => containsWords(text, words))) / 3);
  },
);

test.runIf(isLongRun)(
  'an excerpt takes much less time than marking all words of a long text',
  async () => {
    const words = parseSearchQuery('ab ba aba bab abab baba ababa babab ababab bababa');
    const long = 'ab'.repeat(5_000);
    const repeat = (task: () => unknown) => () => {
      for (let i = 0; i < 20; i += 1) task();
    };
    const time = await measureCpu(repeat(() => createExcerpt(long, words)));
    const all = await measureCpu(repeat(() => findMatches(long, words)));
    expect(time).toBeLessThan(all / 2);
  },
);
