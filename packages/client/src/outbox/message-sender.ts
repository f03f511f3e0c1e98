import type { Message, UploadResponse } from '@parley/contract';
import { ApiError } from '../api/client.ts';
import { withLastMessage, type Chat } from '../stores/chat-list.ts';
import { findChat } from '../stores/chats.ts';
import { withMessage } from '../stores/loaded-chatroom.ts';
import { runLater } from '../run-later.ts';
import { createAttempts, isFailureFinal, type SendOutcome } from './attempts.ts';
import { refetchIfListed, type OutboxContext } from './outbox-context.ts';
import type { OutboxEntry } from './outbox-entry.ts';
import type { EntryChange } from './outbox-store.ts';

/** Longest wait that the limit of sent messages requires, which counts by the minute. */
const SEND_LIMIT_MAX_SECONDS = 60;

/** Creates a function that sends an entry: to its chatroom, or as the first message that creates it. */
export function createMessageSender(
  context: OutboxContext,
): (entry: OutboxEntry) => Promise<SendOutcome> {
  const { api, platform, stores, chatList, events, signal, timing } = context;
  const { chats, outbox, rooms, connection } = stores;

  /** Sends an entry. Resolves to the id of its chatroom. */
  async function post(entry: OutboxEntry): Promise<string> {
    const { clientId, to, content, uploadId, isForwarded, replyTo, albumId } = entry;
    const kind = (entry.uploadedFile ?? entry.source)?.kind;
    if (to.chatroomId === undefined) {
      const { partnerName } = to;
      const { chatroomId } = await api.call('createChatroom', {
        body: { partnerName, content, clientId },
      });
      // The user may have discarded the message meanwhile.
      if (!signal.aborted) {
        chatList.request();
        events.onSent?.();
      }
      return chatroomId;
    }
    const message = await api.call('sendMessage', {
      body: {
        chatroom: to.chatroomId,
        ...(uploadId === undefined ? { content } : { uploadId }),
        clientId,
        ...(kind && { kind }),
        ...(isForwarded && { isForwarded }),
        ...(albumId !== undefined && { albumId }),
        ...(replyTo && { replyTo: replyTo.messageId }),
      },
    });
    if (!signal.aborted) applySent(message);
    return to.chatroomId;
  }

  function applySent(response: Message): void {
    const { isSentAsRequest = false, ...message } = response;
    rooms
      .getState()
      .update(message.chatroom, (room) => withMessage(room, message, false, isSentAsRequest).room);
    if (connection.getState().status === 'online') {
      // The live event follows. The response would be ahead of events of earlier changes.
      runLater(signal, timing.eventWait, () => context.changeChat(message, () => undefined));
    } else {
      context.changeChat(message, (chat) => withLastMessage(chat, response, true));
    }
    events.onSent?.();
  }

  /**
   * Sends an entry. An original that it forwards is copied first. If the server has already deleted
   * its upload, the file is uploaded or copied again. The message keeps its place and its id, because
   * the server has stored nothing with that id. Returns undefined if the entry was discarded during
   * the upload.
   */
  async function postWithUpload(entry: OutboxEntry): Promise<string | undefined> {
    try {
      if (!entry.source || entry.content !== '') return await post(entry);
    } catch (error) {
      if (!(entry.uploadedFile ?? entry.source) || !isUploadLost(error)) throw error;
    }
    const { clientId } = entry;
    const { id, url } = await upload(entry);
    const uploaded = { content: url, uploadId: id };
    const { entries, change } = outbox.getState();
    if (signal.aborted || !entries.some((each) => each.clientId === clientId)) return undefined;
    change([clientId], uploaded);
    try {
      return await post({ ...entry, ...uploaded });
    } catch (error) {
      // The server must have the new upload. Its fault is retried a few times.
      throw isUploadLost(error) ? new ApiError('internal', 500, 'A new upload is missing') : error;
    }
  }

  /** Uploads the file of an entry, or copies its original. */
  async function upload({ uploadedFile, source, media }: OutboxEntry): Promise<UploadResponse> {
    if (uploadedFile) {
      const { kind, blob, name } = uploadedFile;
      return platform.upload(api, kind, blob, name, { signal, peaks: media?.peaks });
    }
    if (!source) throw new TypeError('an entry without a file');
    try {
      return await api.call('copyMedia', { body: { messageId: source.messageId } });
    } catch (error) {
      throw isOriginalDeleted(error) ? new DeletedOriginalError(error) : error;
    }
  }

  /** Handles a refusal after which the entry is removed. Resolves to whether it was one. */
  async function discardRefused(
    { clientId, to }: OutboxEntry,
    error: unknown,
    before: Chat | undefined,
  ): Promise<boolean> {
    if (!(error instanceof ApiError) || error instanceof DeletedOriginalError) return false;
    // An earlier attempt succeeded without a response, and the message has been deleted since.
    const isDeleted = error.code === 'message_not_found';
    const blockedIn = error.code === 'partner_blocked' ? to.chatroomId : undefined;
    if (!isDeleted && blockedIn === undefined) return false;
    if (!(await context.isVersionSupported()) || signal.aborted) return false;
    const { entries, remove } = outbox.getState();
    if (blockedIn === undefined) {
      remove([clientId]);
      return true;
    }
    const unsent = entries.filter((each) => each.to.chatroomId === blockedIn);
    remove(unsent.map((each) => each.clientId));
    // The live event of the other device's block may come before the refusal, or shortly after it.
    refetchIfListed(context, blockedIn, before);
    return true;
  }

  const isFirst = ({ to }: OutboxEntry): boolean => to.partnerName !== undefined;

  return createAttempts<OutboxEntry>(context, {
    describe: (entry) => (isFirst(entry) ? 'creating a chatroom' : 'sending a message'),
    send: async (entry) => {
      const { clientId } = entry;
      const { change, confirm } = outbox.getState();
      const before = findChat(chats.getState(), entry.to.chatroomId ?? '');
      change([clientId], { state: 'sending', waitReason: undefined });
      try {
        const chatroomId = await postWithUpload(entry);
        if (!signal.aborted && chatroomId !== undefined) confirm(clientId, chatroomId);
      } catch (error) {
        if (signal.aborted || !(await discardRefused(entry, error, before))) throw error;
      }
    },
    shouldGiveUp: (entry, error) =>
      // The user is waiting for the new chatroom.
      (isFirst(entry) && isFailureFinal(context, error)) ||
      // Later texts do not wait for the copy, as the server keeps the last free space for texts.
      (entry.source !== undefined && error.code === 'storage_full'),
    onFailed: ({ clientId }, error) =>
      outbox.getState().change([clientId], {
        state: 'waiting',
        waitReason: isRequestLimit(error) ? 'limit' : undefined,
      }),
    onRefused: (entry, error) => {
      const refused: EntryChange = {
        state: isFirst(entry) ? 'draft' : 'failed',
        ...(error instanceof DeletedOriginalError && { failReason: 'source_deleted' }),
      };
      outbox.getState().change([entry.clientId], refused);
      events.onSendRefused?.({ ...entry, ...refused }, error);
    },
  });
}

/** Thrown if the original of a forwarded image or recording no longer exists. */
class DeletedOriginalError extends ApiError {
  constructor({ code, status, message }: ApiError) {
    super(code, status, message);
  }
}

function isOriginalDeleted(error: unknown): error is ApiError {
  return isUploadLost(error) || (error instanceof ApiError && error.code === 'message_not_found');
}

/** Returns whether a message was refused by the limit for requests, the only one that lasts long. */
function isRequestLimit({ code, retryAfter = 0 }: ApiError): boolean {
  return code === 'rate_limited' && retryAfter > SEND_LIMIT_MAX_SECONDS;
}

function isUploadLost(error: unknown): error is ApiError {
  return error instanceof ApiError && error.code === 'media_not_found';
}
