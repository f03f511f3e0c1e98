/** What one write erases at most, so that it holds up nobody. */
export const SLICE = {
  /** Messages or uploads that are changed. */
  rows: 100,
  /** Bytes of their contents, the message that exceeds them included. */
  bytes: 256 * 1024,
  /** Places in a chatroom that are looked through for them. */
  places: 5_000,
} as const;

/** The first messages, as far as one slice may go: at least one, if there is one. */
export function withinBytes<Message extends { bytes: number }>(
  messages: readonly Message[],
): Message[] {
  let bytes = 0;
  const end = messages.findIndex((message) => (bytes += message.bytes) >= SLICE.bytes);
  return end === -1 ? [...messages] : messages.slice(0, end + 1);
}
