import { usernameKey, type MediaInfo, type Message } from '@parley/contract';
import type { ApiClient, ApiError } from '../api/client.ts';
import type { Platform } from '../platform.ts';
import type { ClientTiming } from '../timing.ts';
import { randomUuid } from '../uuid.ts';
import { createLaneRunner } from './lane-runner.ts';
import {
  selectUnsentFiles,
  selectFirstMessage,
  isPending,
  type MediaKind,
  type OutboxEntry,
  type Recipient,
} from './outbox-entry.ts';
import type { OutboxStore } from './outbox-store.ts';
import { createMessageSender } from './message-sender.ts';
import { createUploader } from './file-uploader.ts';

/** What a user does with what goes out. */
export interface OutboxActions {
  /** Sends a message to a chatroom: it shows at once and goes out as soon as it can. */
  readonly send: (chatroomId: string, content: string) => void;
  /**
   * Sends the first message to a user, which creates the chatroom: it shows in `created` then. Where that
   * fails, it becomes a draft; the same content sent again is stored once.
   */
  readonly sendFirstMessage: (partnerName: string, content: string) => void;
  /** Takes back a first message that waits: it becomes a draft. */
  readonly cancelFirstMessage: (clientId: string) => void;
  /** Keeps a picture or a recording until it is sent or discarded. */
  readonly addMedia: (
    kind: MediaKind,
    chatroomId: string,
    file: Blob,
    fileName: string,
    media?: MediaInfo,
  ) => void;
  /**
   * Uploads and sends a chatroom's pictures or recordings, one after the other, also where the chatroom is
   * left meanwhile. What was sent before goes first.
   */
  readonly sendMedia: (kind: MediaKind, chatroomId: string) => void;
  /** Sends a refused message again, behind those that wait. */
  readonly retry: (clientId: string) => void;
  /** Gives up what was not sent. */
  readonly discard: (clientId: string) => void;
}

/** Sends what is in the outbox. */
export interface Outbox {
  readonly actions: OutboxActions;
  /** Sends what waits, now. */
  readonly flush: () => void;
}

interface OutboxDeps {
  api: ApiClient;
  outbox: OutboxStore;
  platform: Pick<Platform, 'locks' | 'upload' | 'createPreviewUrl' | 'logFailure'>;
  /** Aborted once the client is disposed of. */
  signal: AbortSignal;
  confirmUser: () => Promise<void>;
  /** Whether there seems to be a connection, so that a failure is worth telling at once. */
  hasConnection: () => boolean;
  isPartnerDeleted: (chatroomId: string) => boolean;
  onSent: (message: Message) => void;
  onRefused: (entry: OutboxEntry, error: ApiError) => void;
  timing?: Pick<ClientTiming, 'sendRetryMin' | 'sendRetryMax'>;
}

/** Creates an outbox that sends nothing before the first `flush` or action. */
export function createOutbox(deps: OutboxDeps): Outbox {
  const { outbox, platform, signal, confirmUser, timing } = deps;
  const { store } = outbox;

  // Each with a lock of its own: the messages of one tab need not wait for the uploads of another.
  const messages = createLaneRunner({
    outbox,
    platform,
    lockName: 'parley.outbox',
    getLane: ({ to, file }) =>
      file ? undefined : (to.chatroomId ?? `new:${usernameKey(to.partnerName ?? '')}`),
    confirmUser,
    send: createMessageSender(deps),
    timing,
  });
  const uploads = createLaneRunner({
    outbox,
    platform,
    lockName: 'parley.outbox.uploads',
    getLane: ({ to, file }) => file && `${file.kind}:${to.chatroomId}`,
    confirmUser,
    send: createUploader({ ...deps, onUploaded: () => messages.flush() }),
    timing,
  });
  signal.addEventListener('abort', () => {
    messages.stop();
    uploads.stop();
  });

  function flush(): void {
    messages.flush();
    uploads.flush();
  }

  function add(
    to: Recipient,
    added: Pick<OutboxEntry, 'content' | 'state' | 'file' | 'media'>,
  ): void {
    if (signal.aborted) return;
    const createdAt = new Date().toISOString();
    store.getState().add({ clientId: randomUuid(), to, createdAt, ...added });
  }

  return {
    flush,
    actions: {
      send: (chatroomId, content) => {
        add({ chatroomId }, { content, state: 'waiting' });
        messages.flush();
      },
      sendFirstMessage: (partnerName, content) => {
        const { entries, requeue, remove } = store.getState();
        const known = selectFirstMessage(entries, partnerName);
        if (known?.content === content) {
          if (known.state === 'draft') requeue(known.clientId, { state: 'waiting' });
        } else {
          if (known?.state === 'draft') remove([known.clientId]);
          add({ partnerName }, { content, state: 'waiting' });
        }
        messages.flush();
      },
      cancelFirstMessage: (clientId) => {
        const entry = store.getState().entries.find((each) => each.clientId === clientId);
        if (entry?.state === 'waiting') store.getState().change([clientId], { state: 'draft' });
      },
      addMedia: (kind, chatroomId, blob, name, media) => {
        // A recording may end after the user has signed out.
        if (signal.aborted) return;
        const file = { kind, name, blob, previewUrl: platform.createPreviewUrl(blob) };
        add({ chatroomId }, { content: '', state: 'draft', file, media });
      },
      sendMedia: (kind, chatroomId) => {
        const { entries, change } = store.getState();
        const drafts = selectUnsentFiles(entries, kind, chatroomId).filter(
          (entry) => !isPending(entry),
        );
        change(
          drafts.map(({ clientId }) => clientId),
          { state: 'waiting' },
        );
        uploads.flush();
      },
      retry: (clientId) => {
        store.getState().requeue(clientId, { state: 'waiting' });
        messages.flush();
      },
      discard: (clientId) => store.getState().remove([clientId]),
    },
  };
}
