import { selectUnsentFiles, type FileEntry, type MediaKind } from '@parley/client';
import { useMemo } from 'react';
import { useClientState } from '../../client/client-context.ts';

/** Returns a chatroom's images or recordings that are not uploaded yet, in sending order. */
export function useUnsentFiles(kind: MediaKind, chatroomId: string): readonly FileEntry[] {
  const entries = useClientState('outbox', (state) => state.entries);
  return useMemo(() => selectUnsentFiles(entries, kind, chatroomId), [entries, kind, chatroomId]);
}
