import { selectUnsentFiles, type FileEntry, type MediaKind } from '@parley/client';
import { useMemo } from 'react';
import { useClientState } from '../../client/client-context.ts';

/** Returns a chatroom's pictures or recordings that are not uploaded yet, in the order in which they go out. */
export function useUnsentFiles(kind: MediaKind, chatroomId: string): readonly FileEntry[] {
  const entries = useClientState('outbox', (state) => state.entries);
  return useMemo(() => selectUnsentFiles(entries, kind, chatroomId), [entries, kind, chatroomId]);
}
