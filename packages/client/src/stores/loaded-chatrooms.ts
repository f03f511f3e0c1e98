import { createStore, type StoreApi } from 'zustand/vanilla';
import type { LoadedChatroom } from './loaded-chatroom.ts';

/** A chatroom that is loading, is missing for this user, failed to load, or is loaded. */
export type ChatroomEntry<Room extends LoadedChatroom = LoadedChatroom> =
  | { status: 'loading' }
  | {
      status: 'missing';
      /** Whether the user declined or blocked the chat, here or on another device. */
      isHidden?: boolean;
      /** Whether the user has just decided so, which the server has not confirmed. */
      isDecided?: boolean;
      /** Whether the response may come from another program, such as a proxy. */
      isUnconfirmed?: boolean;
    }
  | { status: 'error'; error: unknown }
  | {
      status: 'ready';
      room: Room;
      isLoadingOlder: boolean;
      /** Whether the chatroom comes from the offline copy and has not been resynced yet. */
      isFromCopy?: boolean;
      /** The error of the last attempt to resync the copy. */
      refreshError?: unknown;
    };

type LoadedEntry = Extract<ChatroomEntry, { status: 'ready' }>;

/** The recently opened chatrooms. */
export interface ChatroomsState {
  rooms: Readonly<Record<string, ChatroomEntry>>;
  /** Sets an entry as the most recently used one. Releases the least recently used ones. */
  setEntry: (id: string, entry: ChatroomEntry) => void;
  /** Removes an entry, so that the chatroom is loaded when the user opens it. */
  removeEntry: (id: string) => void;
  /** Updates a loaded chatroom. Does nothing for any other. */
  update: (id: string, change: (room: LoadedChatroom) => LoadedChatroom) => void;
  setLoadingOlder: (id: string, isLoadingOlder: boolean) => void;
  /** Sets the error of an attempt to resync a chatroom from the offline copy, or clears it. */
  setRefreshError: (id: string, error: unknown) => void;
  /** Marks a chatroom as up to date with the server. */
  setResynced: (id: string) => void;
}

/** Maximum number of chatrooms in memory. Others are fetched again when the user opens them. */
const ROOMS_MAX = 8;

/** Creates the store without chatrooms. */
export function createChatroomsStore(): StoreApi<ChatroomsState> {
  return createStore<ChatroomsState>()((set) => {
    const changeLoaded = (id: string, change: (entry: LoadedEntry) => LoadedEntry): void =>
      set((state) => {
        const entry = state.rooms[id];
        if (entry?.status !== 'ready') return state;
        const changed = change(entry);
        return changed === entry ? state : { rooms: { ...state.rooms, [id]: changed } };
      });
    return {
      rooms: {},
      setEntry: (id, entry) =>
        set(({ rooms }) => {
          const others = Object.entries(rooms).filter(([key]) => key !== id);
          return { rooms: Object.fromEntries([...others.slice(-(ROOMS_MAX - 1)), [id, entry]]) };
        }),
      removeEntry: (id) =>
        set((state) => {
          const { [id]: removed, ...rooms } = state.rooms;
          return removed ? { rooms } : state;
        }),
      update: (id, change) =>
        changeLoaded(id, (entry) => {
          const room = change(entry.room);
          return room === entry.room ? entry : { ...entry, room };
        }),
      setLoadingOlder: (id, isLoadingOlder) =>
        changeLoaded(id, (entry) => ({ ...entry, isLoadingOlder })),
      setResynced: (id) =>
        changeLoaded(id, (entry) => {
          const { refreshError: _error, ...others } = entry;
          return entry.isFromCopy ? { ...others, isFromCopy: false } : entry;
        }),
      setRefreshError: (id, refreshError) =>
        changeLoaded(id, (entry) => (entry.isFromCopy ? { ...entry, refreshError } : entry)),
    };
  });
}

/** Chatrooms as on the server, or as they are shown. */
interface Chatrooms<Room extends LoadedChatroom> {
  readonly rooms: Readonly<Record<string, ChatroomEntry<Room>>>;
}

/** Finds a loaded chatroom. */
export function findLoadedChatroom<Room extends LoadedChatroom>(
  { rooms }: Chatrooms<Room>,
  id: string,
): Room | undefined {
  const entry = rooms[id];
  return entry?.status === 'ready' ? entry.room : undefined;
}

/** Returns whether the user has declined or blocked a chat. */
export function isHidden({ rooms }: Chatrooms<LoadedChatroom>, id: string): boolean {
  const entry = rooms[id];
  return entry?.status === 'missing' && entry.isHidden === true;
}

/** Returns whether a chatroom comes from the offline copy and has not been resynced yet. */
export function isFromCopy({ rooms }: Pick<ChatroomsState, 'rooms'>, id: string): boolean {
  const entry = rooms[id];
  return entry?.status === 'ready' && entry.isFromCopy === true;
}

/** Returns all loaded chatrooms. */
export function getLoadedChatrooms({ rooms }: Pick<ChatroomsState, 'rooms'>): LoadedChatroom[] {
  return Object.values(rooms).flatMap((entry) => (entry.status === 'ready' ? [entry.room] : []));
}
