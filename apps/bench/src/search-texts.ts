/** A source of random numbers that are the same in each run. */
export function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    // Mulberry32
    state = (state + 0x6d_2b_79_f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const ONSETS =
  'b bl br d dr f fl g gl gr h j k kl kn l m n p pf r s sch schl schm sp st str t tr v w z';
const NUCLEI = 'a e i o u au ei eu ie ä ö ü';
const CODAS = '  n r l s t ch ck ft nd ng nt rg rt st tz';
const ENDINGS = ' e en er ung heit lich isch t st s';

/** Number of different words. */
const VOCABULARY = 20_000;

/** Creates texts of words that resemble German in their letters, lengths and frequencies. */
export function createTexts(random: () => number): () => string {
  const pick = (list: string) => {
    const all = list.split(' ');
    return all[Math.floor(random() * all.length)] ?? '';
  };
  const words = Array.from({ length: VOCABULARY }, () => {
    const syllables = 1 + Math.floor(random() * 3);
    const stem = Array.from({ length: syllables }, () => pick(ONSETS) + pick(NUCLEI) + pick(CODAS));
    return stem.join('') + pick(ENDINGS);
  });
  // A few words make up most of a text, as in natural languages.
  const word = () => words[Math.floor(VOCABULARY ** random())] ?? '';
  return () => Array.from({ length: 3 + Math.floor(random() * 12) }, word).join(' ');
}
