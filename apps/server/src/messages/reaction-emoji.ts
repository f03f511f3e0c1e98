import { CUSTOM_REACTION } from '@parley/contract';

const SINGLE_EMOJI = /^\p{RGI_Emoji}$/v;

/** Returns whether a text is an emoji with which users can react: one of Unicode, or the custom one. */
export function isReactionEmoji(text: string): boolean {
  return text === CUSTOM_REACTION || SINGLE_EMOJI.test(text);
}
