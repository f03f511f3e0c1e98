import type { Message, UploadResponse } from '@parley/contract';
import { ApiError, type ApiClient } from '../api/client.ts';
import type { Platform } from '../platform.ts';
import { createAttempts, type SendOutcome } from './attempts.ts';
import type { OutboxEntry } from './outbox-entry.ts';
import type { EntryChange, OutboxStore } from './outbox-store.ts';

/** The dependencies of a sender of messages. */
export interface MessageSenderDeps {
  api: ApiClient;
  outbox: OutboxStore;
  platform: Pick<Platform, 'upload' | 'logFailure'>;
  /** Returns whether the connection seems available. Failures are then reported immediately. */
  hasConnection: () => boolean;
  /** Aborted once the client is disposed of. */
  signal: AbortSignal;
  /** Called when the server has stored a message, before it is removed from the outbox. */
  onSent: (message: Message) => void;
  /** Called when a first message has created a chatroom, or was sent to an existing one. */
  onCreated: () => void;
  /** Called when an entry is no longer retried. */
  onRefused: (entry: OutboxEntry, error: ApiError) => void;
  /**
   * Called when everything unsent to a chatroom was discarded, because the user has blocked the
   * partner on another device.
   */
  onPartnerBlocked: (chatroomId: string) => void;
}

/** Longest wait that the limit of sent messages requires, which counts by the minute. */
const SEND_LIMIT_MAX_SECONDS = 60;

/**
 * Creates a function that sends an entry: to its chatroom, or as the first message that creates it.
 */
export function createMessageSender(
  deps: MessageSenderDeps,
): (entry: OutboxEntry) => Promise<SendOutcome> {
  const { api, outbox, platform, hasConnection, signal } = deps;
  const { onSent, onCreated, onRefused, onPartnerBlocked } = deps;

  async function post(entry: OutboxEntry): Promise<string> {
    const { clientId, to, content, uploadId, isForwarded, replyTo, albumId } = entry;
    const kind = (entry.uploadedFile ?? entry.source)?.kind;
    if (to.chatroomId === undefined) {
      const { partnerName } = to;
      const { chatroomId } = await api.call('createChatroom', {
        body: { partnerName, content, clientId },
      });
      // The user may have discarded the message meanwhile.
      if (!signal.aborted) onCreated();
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
    if (!signal.aborted) onSent(message);
    return to.chatroomId;
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
    const { entries, change } = outbox.store.getState();
    if (signal.aborted || !entries.some((each) => each.clientId === clientId)) return undefined;
    change([clientId], uploaded);
    return postUploaded({ ...entry, ...uploaded });
  }

  /** Uploads the file of an entry, or copies its original. */
  async function upload({ uploadedFile, source, media }: OutboxEntry): Promise<UploadResponse> {
    if (source) return copyOriginal(source.messageId);
    if (!uploadedFile) throw new TypeError('an entry without a file');
    const { kind, blob, name } = uploadedFile;
    return platform.upload(api, kind, blob, name, { signal, peaks: media?.peaks });
  }

  async function copyOriginal(messageId: string): Promise<UploadResponse> {
    try {
      return await api.call('copyMedia', { body: { messageId } });
    } catch (error) {
      throw isOriginalDeleted(error) ? new DeletedOriginalError(error) : error;
    }
  }

  /** Sends an entry whose file was just uploaded, which the server must therefore have. */
  async function postUploaded(entry: OutboxEntry): Promise<string> {
    try {
      return await post(entry);
    } catch (error) {
      // Counts as a fault of the server, which is retried a few times.
      throw isUploadLost(error) ? new ApiError('internal', 500, 'A new upload is missing') : error;
    }
  }

  /** Handles a refusal after which the entry is removed. Returns whether it was one. */
  function discardRefused({ clientId, to }: OutboxEntry, error: unknown): boolean {
    if (!(error instanceof ApiError) || error instanceof DeletedOriginalError) return false;
    const { entries, remove } = outbox.store.getState();
    // An earlier attempt succeeded without a response, and the message has been deleted since.
    if (error.code === 'message_not_found') {
      remove([clientId]);
      return true;
    }
    if (error.code !== 'partner_blocked' || to.chatroomId === undefined) return false;
    const unsent = entries.filter((each) => each.to.chatroomId === to.chatroomId);
    remove(unsent.map((each) => each.clientId));
    onPartnerBlocked(to.chatroomId);
    return true;
  }

  const isFirst = ({ to }: OutboxEntry): boolean => to.partnerName !== undefined;

  return createAttempts<OutboxEntry>(
    {
      idOf: ({ clientId }) => clientId,
      describe: (entry) => (isFirst(entry) ? 'creating a chatroom' : 'sending a message'),
      send: async (entry) => {
        const { clientId } = entry;
        const { change, confirm } = outbox.store.getState();
        change([clientId], { state: 'sending', waitReason: undefined });
        try {
          const chatroomId = await postWithUpload(entry);
          if (!signal.aborted && chatroomId !== undefined) confirm(clientId, chatroomId);
        } catch (error) {
          if (signal.aborted || !discardRefused(entry, error)) throw error;
        }
      },
      shouldGiveUp: (entry, { code }) =>
        // Reports the failure immediately to a user who is waiting for a new chatroom, unless the
        // connection is lost.
        (isFirst(entry) && hasConnection() && code !== 'unauthenticated') ||
        // Later texts do not wait for the copy, as the server keeps the last free space for texts.
        (entry.source !== undefined && code === 'storage_full'),
      onFailed: ({ clientId }, error) =>
        outbox.store.getState().change([clientId], {
          state: 'waiting',
          waitReason: isRequestLimit(error) ? 'limit' : undefined,
        }),
      onRefused: (entry, error) => {
        const refused: EntryChange = {
          state: isFirst(entry) ? 'draft' : 'failed',
          ...(error instanceof DeletedOriginalError && { failReason: 'source_deleted' }),
        };
        outbox.store.getState().change([entry.clientId], refused);
        onRefused({ ...entry, ...refused }, error);
      },
    },
    deps,
  );
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
