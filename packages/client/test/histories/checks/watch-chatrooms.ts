import type { Message } from '@parley/contract';
import type { Client, LoadedChatroom } from '../../../src/index.ts';
import { getLoadedChatrooms } from '../../../src/stores/loaded-chatrooms.ts';
import { hasCurrentQuote } from '../model/ledger.ts';

/**
 * Reports messages that appear twice or out of order, reappear when deleted, lose an edit, quote an
 * original as it was, change their album or are unread again, and adds all contents to `shown`.
 */
export function watchChatrooms(
  client: Client,
  shown: Set<string>,
  onProblem: (problem: string) => void,
): void {
  const seen = new Map<string, Map<string, number>>();
  const origins = new Map<string, string>();
  const read = new Set<string>();
  // The server may still refuse it, or has not told this tab of it.
  const isDeleting = (id: string): boolean =>
    client.outbox.getState().changes.some(({ key }) => key === `deletion:${id}`);
  client.rooms.subscribe((state) => {
    for (const room of getLoadedChatrooms(state)) {
      const previousRevs = seen.get(room.id) ?? new Map<string, number>();
      for (const problem of findChatroomProblems(room, previousRevs)) onProblem(problem);
      for (const message of room.messages) {
        const { _id, content, replyTo } = message;
        shown.add(content);
        if (replyTo && !replyTo.isDeleted) shown.add(replyTo.content);
        const origin = originOf(message);
        if ((origins.get(_id) ?? origin) !== origin) onProblem(`"${content}" has another origin`);
        origins.set(_id, origin);
        if (message.sender.username === client.username) continue;
        if (message.seq <= room.readSeq) read.add(_id);
        else if (read.has(_id)) onProblem(`"${content}" is unread again`);
      }
      const currentRevs = new Map(room.messages.map(({ _id, rev }) => [_id, rev]));
      // Infinity marks removed messages, which must not reappear.
      for (const id of previousRevs.keys()) {
        if (!currentRevs.has(id) && !isDeleting(id)) currentRevs.set(id, Infinity);
      }
      seen.set(room.id, currentRevs);
    }
  });
}

/** Returns what never changes in a message, whatever happens to its original and the rest of its album. */
function originOf({ seq, kind, clientId, albumId, replyTo }: Message): string {
  return JSON.stringify([seq, kind, clientId, albumId, replyTo?.messageId]);
}

function findChatroomProblems(
  room: LoadedChatroom,
  previousRevs: ReadonlyMap<string, number>,
): string[] {
  const problems: string[] = [];
  let last = 0;
  for (const message of room.messages) {
    const { _id, seq, rev, content } = message;
    if (seq <= last) problems.push(`"${content}" is shown out of order or twice`);
    last = seq;
    const knownRev = previousRevs.get(_id) ?? 0;
    if (knownRev === Infinity) problems.push(`"${content}" is shown again after it was deleted`);
    else if (rev < knownRev) problems.push(`"${content}" is shown as it was before an edit`);
    // The event of an original that this tab has never shown may be lost.
    const isKnown = previousRevs.has(message.replyTo?.messageId ?? '');
    if (isKnown && !hasCurrentQuote(message, room.messages)) {
      problems.push(`"${content}" is shown with an outdated quote`);
    }
  }
  return problems;
}
