import { cleanText, usernameKey, type MediaInfo, type Message } from '@parley/contract';
import type { ApiError } from '../api/client.ts';
import type { MediaKind, Platform } from '../platform.ts';
import type { ClientTiming } from '../timing.ts';
import { randomUuid } from '../uuid.ts';
import { alignAlbum, isAlbumEmpty, isHeldByAlbum, takeCaption } from './albums.ts';
import { createAttempts, type SendOutcome } from './attempts.ts';
import type { Change, ChangeContext, NewChange } from './changes/change.ts';
import { decisionOf, recognizeChange } from './changes/change-types.ts';
import { edit } from './changes/edit.ts';
import { selectDraft } from './drafts.ts';
import { createLaneRunner } from './lane-runner.ts';
import { isChange, type Mutation } from './mutation.ts';
import {
  selectUnsentFiles,
  selectFirstMessage,
  isPending,
  isMediaKind,
  type OutboxEntry,
  type Recipient,
} from './outbox-entry.ts';
import type { QuoteReference } from '../stores/quotes.ts';
import { createMessageSender, type MessageSenderDeps } from './message-sender.ts';
import { getPending } from './outbox-store.ts';
import { createUploader, type UploaderDeps } from './file-uploader.ts';

/** The user's actions on the outbox. */
export interface OutboxActions {
  /**
   * Sends the draft of a chatroom, which is empty afterwards: an unfinished edit, else the images with the text as their
   * caption, else the text.
   */
  readonly sendDraft: (chatroomId: string) => void;
  /** Sends a message to a chatroom. It is shown immediately and sent as soon as possible. */
  readonly send: (chatroomId: string, content: string, replyTo?: QuoteReference) => void;
  /**
   * Sends the first message to a user, which creates the chatroom and adds it to `created`. If that
   * fails, the message becomes a draft. Sending the same content again does not duplicate it.
   */
  readonly sendFirstMessage: (partnerName: string, content: string) => void;
  /** Cancels a waiting first message, which becomes a draft. */
  readonly cancelFirstMessage: (clientId: string) => void;
  /** Adds an image or recording as a draft. */
  readonly addMedia: (
    kind: MediaKind,
    chatroomId: string,
    file: Blob,
    fileName: string,
    media?: MediaInfo,
  ) => void;
  /** Sets the size of an image that is not sent yet, in pixels, so that it is shown in this size until it is. */
  readonly setImageSize: (clientId: string, size: { width: number; height: number }) => void;
  /**
   * Uploads and sends a chatroom's drafts of one kind in order, even after the user leaves the
   * chatroom. Earlier messages are sent first. Only the first of them is a reply.
   *
   * Several images, or images with a caption, are an album, which is sent in a row once all are uploaded. If
   * an image is refused, the images that are not uploaded become drafts again, and the caption is returned.
   */
  readonly sendMedia: (
    kind: MediaKind,
    chatroomId: string,
    replyTo?: QuoteReference,
    caption?: string,
  ) => void;
  /**
   * Forwards a message to chatrooms. Images and recordings are copied on the server, each just before
   * it is sent. Earlier messages of a chatroom are sent first.
   */
  readonly forward: (chatroomIds: readonly string[], message: Message) => void;
  /** Retries a refused message, after all waiting ones. */
  readonly retry: (clientId: string) => void;
  /** Discards an unsent entry. */
  readonly discard: (clientId: string) => void;
}

/** The outbox, which sends what it contains. */
export interface Outbox {
  readonly actions: OutboxActions;
  /** Makes a change. It is shown immediately and sent as soon as possible. */
  readonly change: (change: NewChange) => void;
  /** Sends everything that waits now. */
  readonly flush: () => void;
  /**
   * Sends the messages to a chatroom now that wait for the limit of messages to users who have not accepted. A first
   * message waits for the partner by name.
   */
  readonly flushChat: (chatroomId: string, partnerName?: string) => void;
}

interface OutboxDeps
  extends MessageSenderDeps, Omit<UploaderDeps, 'onUploaded' | 'onAlbumStopped'> {
  platform: UploaderDeps['platform'] &
    Pick<Platform, 'locks' | 'createPreviewUrl' | 'persistStorage'>;
  confirmUser: () => Promise<void>;
  /** Called with the caption of images that are not sent, which is removed from the outbox. */
  onCaptionReturned: (chatroomId: string, caption: string) => void;
  changeContext: ChangeContext;
  /** Called after each failure to send a change. */
  onChangeFailed: (change: Change, error: ApiError) => void;
  /** Called when the server refused a change, before it is forgotten. */
  onChangeRefused: (change: Change, error: ApiError) => void;
  timing?: Pick<ClientTiming, 'sendRetryMin' | 'sendRetryMax'>;
}

/** Creates an outbox. It sends nothing before the first `flush` or action. */
export function createOutbox(deps: OutboxDeps): Outbox {
  const { outbox, platform, signal, confirmUser, changeContext, timing } = deps;
  const { store } = outbox;

  const sendMessage = createMessageSender(deps);
  const sendChange = createChangeAttempts(deps);
  const uploadFile = createUploader({
    ...deps,
    onUploaded: () => messages.flush(),
    onAlbumStopped: (chatroomId, albumId) => {
      returnCaption(chatroomId, albumId);
      alignAlbum(store.getState(), albumId);
      messages.flush();
    },
  });

  function getMessageHeads(): ReadonlyMap<string, Mutation> {
    const state = store.getState();
    const { entries } = state;
    const held = findHeldChatrooms(state.changes);
    return headsOf(getPending(state), (mutation) => {
      if (isChange(mutation)) return laneOfChange(mutation, held);
      const { to, file } = mutation;
      const isHeld = to.chatroomId !== undefined && held.has(to.chatroomId);
      return file || isHeld || isHeldByAlbum(mutation, entries) ? undefined : laneOf(to);
    });
  }

  // Separate locks, so that what one tab sends does not wait for uploads of another.
  const messages = createLaneRunner({
    outbox,
    platform,
    lockName: 'parley.outbox',
    getHeads: getMessageHeads,
    confirmUser,
    send: (mutation) => (isChange(mutation) ? sendChange(mutation) : sendMessage(mutation)),
    timing,
  });
  const uploads = createLaneRunner({
    outbox,
    platform,
    lockName: 'parley.outbox.uploads',
    getHeads: () =>
      headsOf(
        store.getState().entries.filter(isPending),
        ({ to, file }) => file && `${file.kind}:${to.chatroomId}`,
      ),
    confirmUser,
    send: uploadFile,
    timing,
  });
  signal.addEventListener('abort', () => {
    messages.stop();
    uploads.stop();
  });

  /** Returns the caption of an album to the user, who decides what to do with it. */
  function returnCaption(chatroomId: string, albumId: string): void {
    const caption = takeCaption(store.getState(), albumId);
    if (caption !== undefined) deps.onCaptionReturned(chatroomId, caption);
  }

  function flush(): void {
    messages.flush();
    uploads.flush();
  }

  function change(made: NewChange): void {
    if (signal.aborted) return;
    store.getState().addChange(made);
    requestPersistence();
    messages.resume();
  }

  let isPersistenceRequested = false;

  function add(
    to: Recipient,
    added: Pick<
      OutboxEntry,
      'content' | 'state' | 'file' | 'media' | 'isForwarded' | 'source' | 'replyTo' | 'albumId'
    >,
  ): void {
    if (signal.aborted) return;
    const createdAt = new Date().toISOString();
    store.getState().add({ clientId: randomUuid(), to, createdAt, ...added });
    requestPersistence();
  }

  function requestPersistence(): void {
    if (!isPersistenceRequested) platform.persistStorage?.();
    isPersistenceRequested = true;
  }

  const send: OutboxActions['send'] = (chatroomId, content, replyTo) => {
    add({ chatroomId }, { content, state: 'waiting', ...(replyTo && { replyTo }) });
    messages.flush();
  };

  const sendMedia: OutboxActions['sendMedia'] = (kind, chatroomId, replyTo, caption = '') => {
    const { entries, change: changeEntries } = store.getState();
    const files = selectUnsentFiles(entries, kind, chatroomId).filter((each) => !isPending(each));
    const isAlbum = kind === 'image' && (files.length > 1 || caption !== '');
    const albumId = isAlbum ? randomUuid() : undefined;
    const sent = { state: 'waiting', albumId } as const;
    const [first, ...others] = files.map(({ clientId }) => clientId);
    // Each change stores the file again.
    if (first !== undefined) changeEntries([first], { ...sent, ...(replyTo && { replyTo }) });
    changeEntries(others, sent);
    if (caption !== '') add({ chatroomId }, { content: caption, state: 'waiting', albumId });
    uploads.flush();
  };

  function sendDraft(chatroomId: string): void {
    const { drafts, change: changeDraft } = changeContext.stores.drafts.getState();
    const { text, replyTo, editing, attachments } = selectDraft({ drafts }, chatroomId);
    const content = cleanText((editing ?? { text }).text);
    if (editing) {
      const { messageId, seq, original } = editing;
      const updatedAt = new Date().toISOString();
      if (content !== original) {
        change(edit.create(chatroomId, { messageId, seq, content, updatedAt }));
      }
      changeDraft(chatroomId, { editing: undefined });
      return;
    }
    if (attachments.some(({ file }) => file.kind === 'image')) {
      sendMedia('image', chatroomId, replyTo, content);
    } else send(chatroomId, content, replyTo);
    changeDraft(chatroomId, { text: '', replyTo: undefined });
  }

  return {
    flush,
    change,
    flushChat: (chatroomId, partnerName) => {
      const lanes = [laneOf({ chatroomId }), ...(partnerName ? [laneOf({ partnerName })] : [])];
      for (const lane of lanes) {
        const isWaiting = store.getState().entries.some(
          ({ to, state, waitReason }) =>
            // The limit may still refuse what is on its way.
            (waitReason === 'limit' || state === 'sending') && laneOf(to) === lane,
        );
        if (isWaiting) messages.flush(lane);
      }
    },
    actions: {
      sendDraft,
      send,
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
        // The user may have signed out during a recording.
        if (signal.aborted) return;
        const file = { kind, name, blob, previewUrl: platform.createPreviewUrl(blob) };
        add({ chatroomId }, { content: '', state: 'draft', file, media });
      },
      setImageSize: (clientId, { width, height }) => {
        const entry = store.getState().entries.find((each) => each.clientId === clientId);
        if (entry?.file?.kind !== 'image' || entry.media) return;
        store.getState().change([clientId], { media: { width, height } });
      },
      sendMedia,
      forward: (chatroomIds, { _id: messageId, kind, content, media }) => {
        const forwarded = isMediaKind(kind)
          ? { content: '', source: { messageId, kind, url: content }, media }
          : { content };
        for (const chatroomId of chatroomIds) {
          add({ chatroomId }, { ...forwarded, isForwarded: true, state: 'waiting' });
        }
        messages.flush();
      },
      retry: (clientId) => {
        store.getState().requeue(clientId, { state: 'waiting', failReason: undefined });
        messages.flush();
      },
      discard: (clientId) => {
        const { entries, remove } = store.getState();
        const { albumId, to, file } = entries.find((each) => each.clientId === clientId) ?? {};
        remove([clientId]);
        if (albumId === undefined || to?.chatroomId === undefined) return;
        if (isAlbumEmpty(store.getState().entries, albumId)) returnCaption(to.chatroomId, albumId);
        // The others may have waited for this file. Otherwise, they keep their place.
        if (file) alignAlbum(store.getState(), albumId);
        messages.flush();
      },
    },
  };
}

/** Returns a function that sends a change. */
function createChangeAttempts(deps: OutboxDeps): (change: Change) => Promise<SendOutcome> {
  const { outbox, changeContext, onChangeFailed, onChangeRefused } = deps;
  const { settleChange } = outbox.store.getState();
  return createAttempts<Change>(
    {
      idOf: ({ key, order }) => `${key} ${order}`,
      describe: (change) => recognizeChange(change)?.what ?? '',
      send: async (change) => {
        await recognizeChange(change)?.send(changeContext);
        settleChange(change);
      },
      // A full server must not keep a change from being given back to the user.
      shouldGiveUp: (_change, { code }) => code === 'storage_full',
      isPatient: (change) => recognizeChange(change)?.isPatient === true,
      onFailed: onChangeFailed,
      onRefused: async (change, error) => {
        await recognizeChange(change)?.onRefused(changeContext);
        onChangeRefused(change, error);
        settleChange(change);
      },
    },
    deps,
  );
}

/** Returns the next of each lane. Those without a lane wait for others. */
function headsOf<M>(
  mutations: readonly M[],
  laneOf: (mutation: M) => string | undefined,
): ReadonlyMap<string, M> {
  const heads = new Map<string, M>();
  for (const mutation of mutations) {
    const lane = laneOf(mutation);
    if (lane !== undefined && !heads.has(lane)) heads.set(lane, mutation);
  }
  return heads;
}

/**
 * Returns the chatrooms in which messages wait for a decision about the partner, as the server would refuse a message
 * to a partner who is still blocked.
 */
function findHeldChatrooms(changes: readonly Change[]): ReadonlySet<string> {
  const decisions = changes.filter((change) => !change.isSettled && decisionOf(change));
  return new Set(decisions.map(({ chatroomId }) => chatroomId));
}

/** Returns the lane of a change; undefined if this version cannot send it, or while it waits for a decision. */
function laneOfChange(change: Change, held: ReadonlySet<string>): string | undefined {
  const known = recognizeChange(change);
  return known && (known.isIndependent || !held.has(change.chatroomId)) ? known.lane : undefined;
}

/** Returns the lane of the messages to a recipient. */
function laneOf({ chatroomId, partnerName = '' }: Recipient): string {
  return chatroomId ?? `new:${usernameKey(partnerName)}`;
}
