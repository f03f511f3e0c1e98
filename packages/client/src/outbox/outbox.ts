import { cleanText, usernameKey, type MediaInfo, type Message } from '@parley/contract';
import type { MediaKind } from '../platform.ts';
import type { QuoteReference } from '../stores/quotes.ts';
import { randomUuid } from '../uuid.ts';
import {
  alignAlbum,
  createForwardedAlbums,
  isAlbumEmpty,
  isHeldByAlbum,
  returnCaption,
} from './albums.ts';
import { createChangeSender } from './change-sender.ts';
import type { NewChange } from './changes/change.ts';
import { decisionOf, recognizeChange } from './changes/change-types.ts';
import { edit } from './changes/edit.ts';
import { selectDraft } from './drafts.ts';
import { createUploader } from './file-uploader.ts';
import { createImageChooser, type ImageChooser } from './image-chooser.ts';
import { createLaneRunner } from './lane-runner.ts';
import { createMessageSender } from './message-sender.ts';
import { isChange, type Mutation } from './mutation.ts';
import type { OutboxContext } from './outbox-context.ts';
import {
  isFileEntry,
  selectUnsentFiles,
  selectFirstMessage,
  isPending,
  isMediaKind,
  type MediaFile,
  type OutboxFile,
  type OutboxEntry,
  type Recipient,
} from './outbox-entry.ts';
import { getPending, type OutboxState, type OutboxStore } from './outbox-store.ts';

/** The user's actions on the outbox. */
export interface OutboxActions {
  /**
   * Sends the draft of a chatroom, which is empty afterwards: an unfinished edit, else the images with the text as their
   * caption, else the text. While chosen images are being read, it waits for them, unless the user changes the draft.
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
  /**
   * Chooses an image for the draft of a chatroom. The store `chosenImages` shows it while it is read. Images are read
   * at the same time and added in the order in which they are chosen.
   */
  readonly chooseImage: ImageChooser['choose'];
  /** Adds an image or recording as a draft. */
  readonly addMedia: (
    kind: MediaKind,
    chatroomId: string,
    file: Blob,
    fileName: string,
    media?: MediaInfo,
  ) => void;
  /**
   * Replaces an image of a draft with a smaller copy, in its place. Returns false if the user has sent or removed the
   * image.
   */
  readonly replaceImage: (clientId: string, copy: File) => boolean;
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
   * Forwards messages to chatrooms, in their order. Images and recordings are copied on the server, each just before
   * it is sent. Earlier messages of a chatroom are sent first. Messages of one album stay together.
   */
  readonly forward: (chatroomIds: readonly string[], messages: readonly Message[]) => void;
  /** Retries a refused message, after all waiting ones. */
  readonly retry: (clientId: string) => void;
  /** Discards an unsent entry, or an image that is being read. */
  readonly discard: (clientId: string) => void;
}

/** The outbox, which sends what it contains. */
export interface Outbox {
  readonly actions: OutboxActions;
  /** Makes a change. It is shown immediately and sent as soon as possible. */
  readonly change: (change: NewChange) => void;
  /** Sends everything that waits now. */
  readonly flush: () => void;
  /** Drops the changes that other tabs have sent, as this tab has just fetched what it missed. */
  readonly dropSettled: () => void;
  /**
   * Sends the messages to a chatroom now that wait for the limit of messages to users who have not accepted. A first
   * message waits for the partner by name.
   */
  readonly flushChat: (chatroomId: string, partnerName?: string) => void;
}

/** Creates an outbox. It sends nothing before the first `flush` or action. */
export function createOutbox(
  context: OutboxContext,
  outbox: OutboxStore,
  confirmUser: () => Promise<void>,
): Outbox {
  const { platform, stores, signal } = context;
  const { store } = outbox;
  const sendMessage = createMessageSender(context);
  const sendChange = createChangeSender(context);
  const uploadFile = createUploader(context, () => messages.flush());

  // Separate locks, so that what one tab sends does not wait for uploads of another.
  const messages = createLaneRunner<Mutation>(context, {
    outbox,
    lockName: 'parley.outbox',
    getLanes: () => getMessageLanes(store.getState()),
    confirmUser,
    send: (mutation) => (isChange(mutation) ? sendChange(mutation) : sendMessage(mutation)),
  });
  const uploads = createLaneRunner(context, {
    outbox,
    lockName: 'parley.outbox.uploads',
    getLanes: () =>
      Map.groupBy(
        store.getState().entries.filter(isPending).filter(isFileEntry),
        ({ to, file }) => `${file.kind}:${to.chatroomId}`,
      ),
    confirmUser,
    send: uploadFile,
  });
  let isPersistenceRequested = false;

  function requestPersistence(): void {
    if (!isPersistenceRequested) platform.persistStorage?.();
    isPersistenceRequested = true;
  }

  const find = (clientId: string): OutboxEntry | undefined =>
    store.getState().entries.find((each) => each.clientId === clientId);

  function add(
    to: Recipient,
    added: Omit<OutboxEntry, 'clientId' | 'to' | 'createdAt' | 'order'>,
    clientId: string = randomUuid(),
  ): void {
    if (signal.aborted) return;
    const createdAt = new Date().toISOString();
    store.getState().add({ clientId, to, createdAt, ...added });
    requestPersistence();
  }

  const withPreview = (file: MediaFile): OutboxFile => ({
    ...file,
    previewUrl: platform.createPreviewUrl(file.blob),
  });

  function addFile(
    chatroomId: string,
    added: MediaFile,
    media?: MediaInfo,
    clientId?: string,
  ): void {
    // The user may have signed out during a recording.
    if (signal.aborted) return;
    const file = withPreview(added);
    add({ chatroomId }, { content: '', state: 'draft', file, media }, clientId);
  }

  function change(made: NewChange): void {
    if (signal.aborted) return;
    store.getState().addChange(made);
    requestPersistence();
    messages.resume();
  }

  const send: OutboxActions['send'] = (chatroomId, content, replyTo) => {
    add({ chatroomId }, { content, state: 'waiting', ...(replyTo && { replyTo }) });
    messages.flush();
  };

  const sendMedia: OutboxActions['sendMedia'] = (kind, chatroomId, replyTo, caption = '') => {
    const { entries, change: changeEntries } = store.getState();
    const files = selectUnsentFiles(entries, kind, chatroomId).filter((each) => !isPending(each));
    const isAlbum = kind === 'image' && (files.length > 1 || caption !== '');
    const [first, ...others] = files.map(({ clientId }) => clientId);
    // Another tab that sends the same images at the same time makes the same album of them.
    const albumId = isAlbum ? first : undefined;
    const sent = { state: 'waiting', albumId, isTooLarge: undefined } as const;
    // Each change stores the file again.
    if (first !== undefined) changeEntries([first], { ...sent, ...(replyTo && { replyTo }) });
    changeEntries(others, sent);
    if (caption !== '') add({ chatroomId }, { content: caption, state: 'waiting', albumId });
    uploads.flush();
  };

  function sendDraft(chatroomId: string): void {
    const { drafts, change: changeDraft } = stores.drafts.getState();
    const { text, replyTo, editing, attachments } = selectDraft({ drafts }, chatroomId);
    const content = cleanText(editing?.text ?? text);
    if (editing) {
      const { messageId, seq, original } = editing;
      const updatedAt = new Date().toISOString();
      if (content !== original) {
        change(edit.create(chatroomId, { messageId, seq, content, updatedAt }));
      }
      changeDraft(chatroomId, { editing: undefined });
      return;
    }
    if (images.sendWhenRead(chatroomId)) return;
    if (attachments.some(({ file }) => file.kind === 'image')) {
      sendMedia('image', chatroomId, replyTo, content);
    } else send(chatroomId, content, replyTo);
    changeDraft(chatroomId, { text: '', replyTo: undefined });
  }

  const images = createImageChooser({
    platform,
    stores,
    signal,
    addImage: (chatroomId, { file: blob, media }, clientId) =>
      addFile(chatroomId, { kind: 'image', name: blob.name, blob }, media, clientId),
    sendDraft,
  });

  return {
    flush: () => {
      messages.flush();
      uploads.flush();
    },
    change,
    dropSettled: () => {
      const { changes, settleChange } = store.getState();
      for (const settled of changes.filter(({ isSettled }) => isSettled)) settleChange(settled);
    },
    flushChat: (chatroomId, partnerName) => {
      const lanes = new Set([laneOf({ chatroomId })]);
      if (partnerName !== undefined) lanes.add(laneOf({ partnerName }));
      for (const { to, state, waitReason } of store.getState().entries) {
        // The limit may still refuse what is on its way.
        const isWaiting = waitReason === 'limit' || state === 'sending';
        if (isWaiting && lanes.delete(laneOf(to))) messages.flush(laneOf(to));
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
        if (find(clientId)?.state === 'waiting')
          store.getState().change([clientId], { state: 'draft' });
      },
      chooseImage: images.choose,
      addMedia: (kind, chatroomId, blob, name, media) =>
        addFile(chatroomId, { kind, name, blob }, media),
      replaceImage: (clientId, copy) => {
        const entry = find(clientId);
        if (signal.aborted || entry?.state !== 'draft' || entry.file?.kind !== 'image')
          return false;
        const { order: _place, media: _size, isTooLarge: _reason, ...kept } = entry;
        const file = withPreview({ kind: 'image', name: copy.name, blob: copy });
        store.getState().replace(clientId, { ...kept, clientId: randomUuid(), file });
        return true;
      },
      setImageSize: (clientId, { width, height }) => {
        const entry = find(clientId);
        if (entry?.file?.kind !== 'image' || entry.media) return;
        store.getState().change([clientId], { media: { width, height } });
      },
      sendMedia,
      forward: (chatroomIds, originals) => {
        for (const chatroomId of chatroomIds) {
          const albumIdOf = createForwardedAlbums(originals);
          for (const original of originals) {
            const clientId = randomUuid();
            const albumId = albumIdOf(original, clientId);
            const forwarded = {
              ...forwardedContent(original),
              isForwarded: true,
              albumId,
            } as const;
            add({ chatroomId }, { ...forwarded, state: 'waiting' }, clientId);
          }
        }
        messages.flush();
      },
      retry: (clientId) => {
        store.getState().requeue(clientId, { state: 'waiting', failReason: undefined });
        messages.flush();
      },
      discard: (clientId) => {
        if (images.discard(clientId)) return;
        const { albumId, file } = find(clientId) ?? {};
        store.getState().remove([clientId]);
        if (albumId === undefined) return;
        if (isAlbumEmpty(store.getState().entries, albumId)) returnCaption(stores, albumId);
        // The others may have waited for this file. Otherwise, they keep their place.
        if (file) alignAlbum(store.getState(), albumId);
        messages.flush();
      },
    },
  };
}

/** Returns what is sent beside uploads, by lane. What waits for something else has no lane. */
function getMessageLanes(state: OutboxState): ReadonlyMap<string | undefined, readonly Mutation[]> {
  const { entries, changes } = state;
  const decisions = changes.filter((change) => !change.isSettled && decisionOf(change));
  // The server would refuse messages to a partner who is still blocked.
  const held = new Set(decisions.map(({ chatroomId }) => chatroomId));
  return Map.groupBy(getPending(state), (mutation) => {
    if (isChange(mutation)) {
      const { key, chatroomId, value } = mutation;
      // Changes of other versions of the app are not sent.
      const type = recognizeChange(mutation);
      if (!type || (held.has(chatroomId) && !type.isIndependent)) return undefined;
      return type.lane?.(chatroomId, value) ?? key;
    }
    const { to, file } = mutation;
    const isHeld = to.chatroomId !== undefined && held.has(to.chatroomId);
    return file || isHeld || isHeldByAlbum(mutation, entries) ? undefined : laneOf(to);
  });
}

/** Returns what the entry of a forwarded message contains. */
function forwardedContent({
  _id: messageId,
  kind,
  content,
  media,
}: Message): Pick<OutboxEntry, 'content' | 'source' | 'media'> {
  if (!isMediaKind(kind)) return { content };
  return { content: '', source: { messageId, kind, url: content }, media };
}

/** Returns the lane of the messages to a recipient. */
function laneOf({ chatroomId, partnerName = '' }: Recipient): string {
  return chatroomId ?? `new:${usernameKey(partnerName)}`;
}
