import type { Client, LoadedChatroom } from '../../../src/index.ts';
import { getLoadedChatrooms } from '../../../src/stores/loaded-chatrooms.ts';

/**
 * Reports messages that appear twice or out of order, reappear when deleted, or lose an edit, and
 * adds the contents of all messages to `shown`.
 */
export function watchChatrooms(
  client: Client,
  shown: Set<string>,
  onProblem: (problem: string) => void,
): void {
  const seen = new Map<string, Map<string, number>>();
  // The server may still refuse it, or has not told this tab of it.
  const isDeleting = (id: string): boolean =>
    client.outbox.getState().changes.some(({ key }) => key === `deletion:${id}`);
  client.rooms.subscribe((state) => {
    for (const room of getLoadedChatrooms(state)) {
      const previousRevs = seen.get(room.id) ?? new Map<string, number>();
      for (const problem of findChatroomProblems(room, previousRevs)) onProblem(problem);
      for (const { content } of room.messages) shown.add(content);
      const currentRevs = new Map(room.messages.map(({ _id, rev }) => [_id, rev]));
      // Infinity marks removed messages, which must not reappear.
      for (const id of previousRevs.keys()) {
        if (!currentRevs.has(id) && !isDeleting(id)) currentRevs.set(id, Infinity);
      }
      seen.set(room.id, currentRevs);
    }
  });
}

function findChatroomProblems(
  room: LoadedChatroom,
  previousRevs: ReadonlyMap<string, number>,
): string[] {
  const problems: string[] = [];
  let last = 0;
  for (const { _id, seq, rev, content } of room.messages) {
    if (seq <= last) problems.push(`"${content}" is shown out of order or twice`);
    last = seq;
    const knownRev = previousRevs.get(_id) ?? 0;
    if (knownRev === Infinity) problems.push(`"${content}" is shown again after it was deleted`);
    else if (rev < knownRev) problems.push(`"${content}" is shown as it was before an edit`);
  }
  return problems;
}
