import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Room } from './room.ts';

/** A room on its way in: not there yet, there, not the user's, or out of reach. */
export type RoomEntry =
  | { status: 'loading' | 'missing' }
  | { status: 'error'; error: unknown }
  | {
      status: 'ready';
      room: Room;
      isLoadingOlder: boolean;
      /** Whether the room is as it was left on this device: it has yet to catch up with the server. */
      isFromCopy?: boolean;
    };

/** The rooms that were opened lately. */
export interface RoomsState {
  rooms: Readonly<Record<string, RoomEntry>>;
  /** Puts an entry in place, as the one that was used last; the least used rooms are released. */
  setEntry: (id: string, entry: RoomEntry) => void;
  /** Changes a room that is there; does nothing for any other. */
  update: (id: string, change: (room: Room) => Room) => void;
  setLoadingOlder: (id: string, isLoadingOlder: boolean) => void;
  /** Says that a room has caught up with the server. */
  setCaughtUp: (id: string) => void;
}

/** Rooms kept in memory; more are fetched again when they are opened. */
const ROOMS_MAX = 8;

/** Creates the store, with no room in it. */
export function createRoomsStore(): StoreApi<RoomsState> {
  return createStore<RoomsState>()((set) => ({
    rooms: {},
    setEntry: (id, entry) =>
      set(({ rooms }) => {
        const others = Object.entries(rooms).filter(([key]) => key !== id);
        return { rooms: Object.fromEntries([...others.slice(-(ROOMS_MAX - 1)), [id, entry]]) };
      }),
    update: (id, change) =>
      set((state) => {
        const entry = state.rooms[id];
        if (entry?.status !== 'ready') return state;
        const room = change(entry.room);
        return room === entry.room
          ? state
          : { rooms: { ...state.rooms, [id]: { ...entry, room } } };
      }),
    setLoadingOlder: (id, isLoadingOlder) =>
      set((state) => {
        const entry = state.rooms[id];
        if (entry?.status !== 'ready') return state;
        return { rooms: { ...state.rooms, [id]: { ...entry, isLoadingOlder } } };
      }),
    setCaughtUp: (id) =>
      set((state) => {
        const entry = state.rooms[id];
        if (entry?.status !== 'ready' || !entry.isFromCopy) return state;
        return { rooms: { ...state.rooms, [id]: { ...entry, isFromCopy: false } } };
      }),
  }));
}

/** Returns the room if it is loaded. */
export function findLoadedRoom(state: Pick<RoomsState, 'rooms'>, id: string): Room | undefined {
  const entry = state.rooms[id];
  return entry?.status === 'ready' ? entry.room : undefined;
}

/** Returns whether a room is as it was left on this device. */
export function isFromCopy({ rooms }: Pick<RoomsState, 'rooms'>, id: string): boolean {
  const entry = rooms[id];
  return entry?.status === 'ready' && entry.isFromCopy === true;
}

/** Returns all rooms that are loaded. */
export function getLoadedRooms({ rooms }: Pick<RoomsState, 'rooms'>): Room[] {
  return Object.values(rooms).flatMap((entry) => (entry.status === 'ready' ? [entry.room] : []));
}
