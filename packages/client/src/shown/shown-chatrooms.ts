import { createStore, type StoreApi } from 'zustand/vanilla';
import { shallow } from 'zustand/vanilla/shallow';
import type { Change } from '../outbox/changes/change.ts';
import { withChangesOfChatroom } from '../outbox/changes/change-types.ts';
import { selectUnsentMessages, type MessageEntry } from '../outbox/outbox-entry.ts';
import type { OutboxState } from '../outbox/outbox-store.ts';
import type { LoadedChatroom } from '../stores/loaded-chatroom.ts';
import type { ChatroomEntry, ChatroomsState } from '../stores/loaded-chatrooms.ts';

/** A chatroom as it is shown: with changes that the server has not confirmed, and messages that it does not have. */
export interface ShownChatroom extends LoadedChatroom {
  /** In the order in which they are shown, below the others. */
  readonly unsent: readonly MessageEntry[];
}

/** A chatroom that is shown, loading, missing for this user, or failed to load. */
export type ShownEntry = ChatroomEntry<ShownChatroom>;

/** The recently opened chatrooms as they are shown. */
export interface ShownChatroomsState {
  rooms: Readonly<Record<string, ShownEntry>>;
}

/** What an entry was made of. */
interface Source {
  readonly entry: ChatroomEntry;
  readonly changes: readonly Change[];
  readonly unsent: readonly MessageEntry[];
  readonly shown: ShownEntry;
}

/** The entry of a chatroom that the user declines or blocks. */
const HIDDEN: ShownEntry = { status: 'missing', isHidden: true, isDecided: true };

/**
 * Creates the store, which stays current with the loaded chatrooms and the outbox until the signal is
 * aborted. Unaffected entries keep their identity.
 */
export function createShownChatroomsStore(
  rooms: StoreApi<ChatroomsState>,
  outbox: StoreApi<OutboxState>,
  signal: AbortSignal,
): StoreApi<ShownChatroomsState> {
  const store = createStore<ShownChatroomsState>()(() => ({ rooms: {} }));
  let sources: ReadonlyMap<string, Source> = new Map();

  function update(): void {
    const { entries, changes } = outbox.getState();
    const changesOf = Map.groupBy(changes, ({ chatroomId }) => chatroomId);
    const next = new Map<string, Source>();
    for (const [id, entry] of Object.entries(rooms.getState().rooms)) {
      const own = changesOf.get(id) ?? [];
      const unsent = entry.status === 'ready' ? selectUnsentMessages(entries, id) : [];
      const known = sources.get(id);
      const isKnown =
        known?.entry === entry && shallow(known.changes, own) && shallow(known.unsent, unsent);
      next.set(
        id,
        isKnown ? known : { entry, changes: own, unsent, shown: toShown(entry, own, unsent) },
      );
    }
    const isUnchanged = shallow(sources, next);
    sources = next;
    if (isUnchanged) return;
    store.setState({
      rooms: Object.fromEntries(Array.from(next, ([id, { shown }]) => [id, shown])),
    });
  }

  const unsubscribe = [
    rooms.subscribe(update),
    outbox.subscribe((state, before) => {
      if (state.entries !== before.entries || state.changes !== before.changes) update();
    }),
  ];
  signal.addEventListener('abort', () => unsubscribe.forEach((stop) => stop()));
  update();
  return store;
}

function toShown(
  entry: ChatroomEntry,
  changes: readonly Change[],
  unsent: readonly MessageEntry[],
): ShownEntry {
  if (entry.status !== 'ready') return entry;
  const room = withChangesOfChatroom(entry.room, changes, unsent.length > 0);
  return room ? { ...entry, room: { ...room, unsent } } : HIDDEN;
}
