import type { LoadedChatroom } from '@parley/client';

/** Milliseconds after a tap within which the messages arrive that it is about: the device may have been asleep. */
const ARRIVAL_MAX = 10_000;
/** Milliseconds after the page was focused within which messages were marked as read because of that. */
const RETURN_MAX = 5_000;

/** What a chatroom shows while a tap on a notification opens it. */
export interface UnreadView {
  room: Pick<LoadedChatroom, 'messages' | 'readSeq' | 'currentUsername'>;
  isAttended: boolean;
  /** When the user opened the chatroom by a link or notification. */
  wantedAt: number | undefined;
}

/** Finds the unread message that a link or notification leads to, in a chatroom that is open already. */
export interface UnreadRequest {
  /** Returns the `seq` of the message, if there is one after a change of the view. */
  update: (view: UnreadView, now: number) => number | undefined;
  /** Ends the request, as the message is shown. */
  finish: () => void;
}

/**
 * Creates it for a chatroom that has been opened. The tap focuses the page, which may mark the messages as read
 * before the page is told of the tap. The position before that counts. Messages that are sent after the tap are not
 * what it is about.
 * @param isShown whether the list opens at an unread message by itself
 */
export function createUnreadRequest(
  { room, wantedAt }: Pick<UnreadView, 'room' | 'wantedAt'>,
  isShown: boolean,
): UnreadRequest {
  let seenSeq = room.readSeq;
  let returnedAt: number | undefined;
  let request = { wantedAt, sentBy: sentByTap(room, wantedAt), seenSeq, isDone: isShown };

  return {
    update(view, now) {
      const { readSeq } = view.room;
      if (!view.isAttended) {
        returnedAt = undefined;
        seenSeq = readSeq;
      } else {
        returnedAt ??= now;
        if (now > returnedAt + RETURN_MAX) seenSeq = readSeq;
      }
      if (view.wantedAt === undefined) return undefined;
      if (request.wantedAt !== view.wantedAt) {
        const sentBy = sentByTap(view.room, view.wantedAt);
        request = { wantedAt: view.wantedAt, sentBy, seenSeq, isDone: false };
      }
      if (request.isDone || now > view.wantedAt + ARRIVAL_MAX) return undefined;
      return findFirstReceived(view.room, request.seenSeq, request.sentBy);
    },
    finish() {
      request.isDone = true;
    },
  };
}

/** Returns the latest time of messages sent before a tap. By the server's clock, loaded ones may seem to be later. */
function sentByTap({ messages }: Pick<LoadedChatroom, 'messages'>, wantedAt = 0): number {
  const newest = messages.at(-1);
  return Math.max(wantedAt, newest ? Date.parse(newest.createdAt) : 0);
}

/**
 * Returns the `seq` of the first message of the partner after a position.
 * @param sentBy latest time of sending, in milliseconds since 1970
 */
export function findFirstReceived(
  { messages, currentUsername }: Pick<LoadedChatroom, 'messages' | 'currentUsername'>,
  after: number,
  sentBy = Infinity,
): number | undefined {
  const first = messages.find(
    ({ seq, sender }) => seq > after && sender.username !== currentUsername,
  );
  return first && Date.parse(first.createdAt) <= sentBy ? first.seq : undefined;
}
