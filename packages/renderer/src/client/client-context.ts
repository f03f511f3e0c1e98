import { selectTotalUnread, type Client, type PublishedStores } from '@parley/client';
import { createContext, useCallback, useContext, useSyncExternalStore } from 'react';
import { useStore, type ExtractState } from 'zustand';

/** The client of the signed-in user, provided by `ClientProvider`. Undefined for guests. */
export const ClientContext = createContext<Client | undefined>(undefined);

/** Returns the client of the signed-in user. Must be used inside `ClientProvider`. */
export function useClient(): Client {
  const client = useContext(ClientContext);
  if (!client) throw new Error('useClient needs a ClientProvider above it');
  return client;
}

/** Returns the state of one of the client's stores. */
export function useClientState<Name extends keyof PublishedStores>(
  name: Name,
): ExtractState<PublishedStores[Name]>;
/** Selects from the state of one of the client's stores. */
export function useClientState<Name extends keyof PublishedStores, T>(
  name: Name,
  select: (state: ExtractState<PublishedStores[Name]>) => T,
): T;
export function useClientState<Name extends keyof PublishedStores>(
  name: Name,
  select: (state: ExtractState<PublishedStores[Name]>) => unknown = (state) => state,
): unknown {
  return useStore<PublishedStores[Name], unknown>(useClient()[name], select);
}

/** Returns the number of unread messages in all chats that are not muted; 0 for a guest. */
export function useTotalUnread(): number {
  const chats = useContext(ClientContext)?.chats;
  const subscribe = useCallback(
    (onChange: () => void) => chats?.subscribe(onChange) ?? (() => undefined),
    [chats],
  );
  const getTotal = (): number => (chats ? selectTotalUnread(chats.getState()) : 0);
  return useSyncExternalStore(subscribe, getTotal, getTotal);
}
