/** An emoji that Unicode does not have. It is stored as its shortcode and shown as a picture. */
export interface CustomEmoji {
  /** What stands in a message's text, colons included. */
  shortcode: string;
  /** Key of its name in the translations. */
  nameKey: 'emoji.circassia';
}

/** The flag of Circassia. */
export const CIRCASSIA: CustomEmoji = { shortcode: ':circassia:', nameKey: 'emoji.circassia' };
