/** Quick emoji with their codes in the picker: thumbs up, heart, smile, cry, pray, thumbs down, angry. */
export const QUICK_EMOJI = [
  ['👍', '1f44d'],
  ['❤️', '2764-fe0f'],
  ['😃', '1f603'],
  ['😢', '1f622'],
  ['🙏', '1f64f'],
  ['👎', '1f44e'],
  ['😡', '1f621'],
] as const;
