import { selectUnsentMessages, shownPart, type LoadedChatroom } from '@parley/client';
import { contentKind } from '@parley/contract';
import { useClientState } from '../../../client/client-context.ts';
import { isPictureKind } from '../../../format/message-kinds.ts';
import { usePublicConfig } from '../../../host/host-context.ts';
import { ImageViewer, type ChatImage } from './ImageViewer.tsx';

/** The lightbox of a room, which navigates between its loaded images. */
export function ChatroomImageViewer({ room }: { room: LoadedChatroom }) {
  return <ImageViewer images={useImages(room)} partnerName={room.partnerName} />;
}

/** Returns the room's images that can be opened, in chronological order with unsent ones last. */
function useImages(room: LoadedChatroom): ChatImage[] {
  const { id, detached, currentUsername } = room;
  const { messages } = shownPart(room);
  const { mediaPrefix } = usePublicConfig();
  const entries = useClientState('outbox', (state) => state.entries);
  // Newer messages that are not loaded are between detached and unsent ones.
  const waiting = detached ? [] : selectUnsentMessages(entries, id);
  const sent = messages
    .filter(({ kind, media }) => isPictureKind(kind) && !media?.isBlocked)
    .map(({ content, sender, createdAt }) => {
      return { content, createdAt, isOwn: sender.username === currentUsername };
    });
  const unsent = waiting
    .filter(({ content }) => isPictureKind(contentKind(content, mediaPrefix)))
    .filter(({ content }) => !sent.some((image) => image.content === content))
    .map(({ content, createdAt }) => ({ content, createdAt, isOwn: true }));
  return [...sent, ...unsent];
}
