import { blockOf } from '../storage/search-blocks.ts';

/** The bounds of one batch, so that erasing does not delay other writes. */
export const BATCH = {
  /** Maximum number of messages or uploads that are changed. */
  rows: 100,
  /** Bytes of content after which a batch ends. It includes the message that exceeds them. */
  bytes: 256 * 1024,
  /**
   * Maximum number of blocks of the search index with these messages. The write removes the trigrams of each one,
   * which takes up to 12 ms.
   */
  blocks: 4,
} as const;

/** A message to delete. The ones of a batch without a chatroom are of the same. */
interface BatchedMessage {
  readonly chatroom_id?: string;
  readonly seq: number;
  readonly bytes: number;
}

/** Returns the first messages up to the limits of a batch, and at least one if there are any. */
export function takeWithinLimits<Message extends BatchedMessage>(
  messages: readonly Message[],
): Message[] {
  const taken: Message[] = [];
  const blocks = new Set<string>();
  let bytes = 0;
  for (const message of messages) {
    blocks.add(`${message.chatroom_id} ${blockOf(0, message.seq).id}`);
    if (bytes >= BATCH.bytes || blocks.size > BATCH.blocks) break;
    bytes += message.bytes;
    taken.push(message);
  }
  return taken;
}
