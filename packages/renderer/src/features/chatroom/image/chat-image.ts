import type { Message } from '@parley/contract';

/** An image that can be opened. */
export interface ChatImage {
  /** The image's URL as in the message. */
  content: string;
  isOwn: boolean;
  /** Whether the operator has blocked the image. */
  isBlocked: boolean;
  createdAt: string;
}

/** Returns the image of a message. */
export function toChatImage(
  { content, createdAt, sender, seq, media }: Message,
  currentUsername: string,
): ChatImage & { seq: number } {
  const isOwn = sender.username === currentUsername;
  return { content, createdAt, isOwn, isBlocked: media?.isBlocked === true, seq };
}
