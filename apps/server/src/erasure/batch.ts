/** The bounds of one batch, so that erasing does not delay other writes. */
export const BATCH = {
  /** Maximum number of messages or uploads that are changed. */
  rows: 100,
  /** Bytes of content after which a batch ends. It includes the message that exceeds them. */
  bytes: 256 * 1024,
  /** Maximum number of `seq` values of a chatroom that are searched for messages. */
  seqs: 5_000,
} as const;

/** Returns the first messages up to the byte limit of a batch, and at least one if there are any. */
export function takeWithinByteLimit<Message extends { bytes: number }>(
  messages: readonly Message[],
): Message[] {
  let bytes = 0;
  const end = messages.findIndex((message) => (bytes += message.bytes) >= BATCH.bytes);
  return end === -1 ? [...messages] : messages.slice(0, end + 1);
}
