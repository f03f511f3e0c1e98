import type { Client, Room } from '../../src/index.ts';
import { getLoadedRooms } from '../../src/stores/rooms.ts';

/** Reports messages that appear twice or out of order, reappear when deleted, or lose an edit. */
export function watchRooms(client: Client, onProblem: (problem: string) => void): void {
  const seen = new Map<string, Map<string, number>>();
  client.rooms.subscribe((state) => {
    for (const room of getLoadedRooms(state)) {
      const before = seen.get(room.id) ?? new Map<string, number>();
      for (const problem of findRoomProblems(room, before)) onProblem(problem);
      const now = new Map(room.messages.map(({ _id, rev }) => [_id, rev]));
      // Removed messages must not reappear.
      for (const id of before.keys()) if (!now.has(id)) now.set(id, Infinity);
      seen.set(room.id, now);
    }
  });
}

function findRoomProblems(room: Room, before: ReadonlyMap<string, number>): string[] {
  const problems: string[] = [];
  let last = 0;
  for (const { _id, seq, rev, content } of room.messages) {
    if (seq <= last) problems.push(`"${content}" is shown out of order or twice`);
    last = seq;
    const known = before.get(_id) ?? 0;
    if (known === Infinity) problems.push(`"${content}" is shown again after it was deleted`);
    else if (rev < known) problems.push(`"${content}" is shown as it was before an edit`);
  }
  return problems;
}
