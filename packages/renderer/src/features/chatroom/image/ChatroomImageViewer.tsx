import { selectUnsentMessages, shownPart, type LoadedChatroom } from '@parley/client';
import { contentKind, type Message } from '@parley/contract';
import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { useClientState } from '../../../client/client-context.ts';
import { isPictureKind } from '../../../format/message-kinds.ts';
import { usePublicConfig } from '../../../host/host-context.ts';
import { messagePath } from '../../../navigation/paths.ts';
import { toChatImage, type ChatImage } from './chat-image.ts';
import { ImageViewer } from './ImageViewer.tsx';
import { useImageSearch } from './use-image-search.ts';
import { useOpenImage } from './use-open-image.ts';

/** The lightbox of a room, which navigates between all of its images. */
export function ChatroomImageViewer({ room }: { room: LoadedChatroom }) {
  const { image } = useOpenImage();
  return image === undefined ? null : <ChatroomImages key={room.id} room={room} />;
}

/** Navigates between the images of the loaded messages, of the other messages, which it searches, and unsent ones. */
function ChatroomImages({ room }: { room: LoadedChatroom }) {
  const { id, partnerName, currentUsername, detached } = room;
  const navigate = useNavigate();
  const { messages } = shownPart(room);
  // Stays the same while the list loads more behind the viewer: another search would begin without the open image.
  const [{ oldest, newest, before, after }] = useState(() => findSearchedTimes(room));
  const older = useImageSearch({ chatroomId: id, order: 'newest', before });
  const newer = useImageSearch({ chatroomId: id, order: 'oldest', after });
  const unsent = useUnsentImages(room);

  const found = newer.toPages(0);
  // What arrives is not found later. Before, newer images that are not found yet would be missing in between.
  const arrived = detached && !found.hasMore ? room.messages : [];
  const all = [...older.messages, ...messages, ...newer.messages, ...arrived].filter(({ kind }) =>
    isPictureKind(kind),
  );
  const sent = [...new Map(all.map((message) => [message._id, message])).values()].toSorted(
    (a, b) => a.seq - b.seq,
  );
  const loadedSeqs = new Set(messages.map(({ seq }) => seq));
  const countOf = (isCounted: (time: number) => boolean): number =>
    sent.filter((message) => isCounted(timeOf(message) ?? 0)).length;
  return (
    <ImageViewer<ChatroomImage>
      images={[...sent.map((message) => toChatImage(message, currentUsername)), ...unsent]}
      partnerName={partnerName}
      older={older.toPages(countOf((time) => time <= (oldest ?? 0)))}
      newer={newer.toPages(countOf((time) => time >= (newest ?? 0)))}
      canShowInChat={({ seq }) => seq !== undefined && !loadedSeqs.has(seq)}
      // Going back must not open the image again.
      onShowInChat={({ seq = 0 }) => void navigate(messagePath(id, seq), { replace: true })}
    />
  );
}

/** Returns the times of the oldest and newest loaded message, and the limits of the searches beyond them. */
function findSearchedTimes(room: LoadedChatroom) {
  const { messages, hasMore } = shownPart(room);
  const oldest = timeOf(messages[0]);
  const newest = timeOf(messages.at(-1));
  return {
    oldest,
    newest,
    // Messages may have been sent at the same time.
    before: hasMore && oldest !== undefined ? oldest + 1 : undefined,
    after: room.detached ? newest : undefined,
  };
}

/** An image with the place of its message, unless that is not sent. */
type ChatroomImage = ChatImage & { seq?: number };

/** Returns the room's images that wait to be sent and can be opened, in chronological order. */
function useUnsentImages({ id, detached, messages }: LoadedChatroom): ChatroomImage[] {
  const { mediaPrefix } = usePublicConfig();
  const entries = useClientState('outbox', (state) => state.entries);
  // Newer messages that are not loaded are between detached and unsent ones.
  const waiting = detached ? [] : selectUnsentMessages(entries, id);
  return waiting
    .filter(({ content }) => isPictureKind(contentKind(content, mediaPrefix)))
    .filter(({ content }) => !messages.some((message) => message.content === content))
    .map(({ content, createdAt }) => ({ content, createdAt, isOwn: true, isBlocked: false }));
}

function timeOf(message: Message | undefined): number | undefined {
  return message && Date.parse(message.createdAt);
}
