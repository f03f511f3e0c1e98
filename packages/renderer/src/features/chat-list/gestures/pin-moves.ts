import type { Client, ListedChat } from '@parley/client';

/** A move of a pinned chat to tell screen readers. */
export interface PinMove {
  readonly chat: ListedChat;
  /** Beginning with 1. */
  readonly position: number;
  readonly count: number;
}

const listeners = new Set<(move: PinMove) => void>();

/** Calls a function for each move of the user. Returns a function that stops that. */
export function onPinMoved(listener: (move: PinMove) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Returns the pinned chats in their order. */
export function listPinned(chats: readonly ListedChat[]): readonly ListedChat[] {
  return chats.filter(({ isPinned }) => isPinned === true);
}

/** Moves a pinned chat to a place among the pinned ones, beginning with 0. Ignores places that do not exist. */
export function movePinned(client: Client, id: string, place: number): void {
  const pinned = listPinned(client.chats.getState().chats);
  const chat = pinned.find((each) => each.id === id);
  if (!chat || place < 0 || place >= pinned.length || pinned[place] === chat) return;
  const others = pinned.filter((each) => each !== chat);
  client.orderPinned(others.toSpliced(place, 0, chat).map((each) => each.id));
  const move: PinMove = { chat, position: place + 1, count: pinned.length };
  for (const listener of listeners) listener(move);
}

/** Moves a pinned chat up or down by one place. */
export function stepPinned(client: Client, id: string, step: 1 | -1): void {
  const place = listPinned(client.chats.getState().chats).findIndex((each) => each.id === id);
  if (place >= 0) movePinned(client, id, place + step);
}
