/** An emoji that is not part of Unicode. It is stored as its shortcode and displayed as an image. */
export interface CustomEmoji {
  /** The shortcode including its colons. */
  shortcode: string;
  /** The text key of its name. */
  nameKey: 'emoji.circassia';
}

/** The flag of Circassia. */
export const CIRCASSIA: CustomEmoji = { shortcode: ':circassia:', nameKey: 'emoji.circassia' };
