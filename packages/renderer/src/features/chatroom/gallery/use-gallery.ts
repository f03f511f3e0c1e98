import { findLoadedChatroom, type SearchState } from '@parley/client';
import type { Message, SearchKind } from '@parley/contract';
import { useEffect, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import { useClient, useClientState } from '../../../client/client-context.ts';
import { withArrived } from './gallery-items.ts';

/** Number of messages per page: several screens of images. */
const PAGE_SIZE = 60;

/** The chatroom of a gallery. */
export interface GalleryProps {
  chatroomId: string;
  partnerName: string;
}

/** The messages of one kind in a chatroom. */
export interface Gallery {
  /** Newest first. */
  messages: readonly Message[];
  state: SearchState;
  loadMore: () => void;
  retry: () => void;
}

/** Returns the messages of one kind in a chatroom, a page of them at first. */
export function useGallery(chatroomId: string, kind: SearchKind): Gallery {
  const client = useClient();
  const [search] = useState(() => client.createSearch({ pageSize: PAGE_SIZE }));
  const state = useStore(search.store);
  const room = useClientState('rooms', (rooms) => findLoadedChatroom(rooms, chatroomId));
  useEffect(() => {
    search.setConditions({ chatroomId, kind });
    search.searchNow();
    return () => search.dispose();
  }, [search, chatroomId, kind]);
  const { status, hits } = state;
  const messages = useMemo(
    () => (status === 'results' ? withArrived(hits, room, kind) : []),
    [status, hits, room, kind],
  );
  return {
    messages,
    state,
    loadMore: () => void search.loadMore(),
    retry: search.retry,
  };
}
