import type { StoreApi } from 'zustand/vanilla';
import type { Platform } from '../platform.ts';
import { randomUuid } from '../uuid.ts';
import { selectChosenImages, type ChosenImagesState, type SendableImage } from './chosen-images.ts';
import { selectDraft, type DraftsState } from './drafts.ts';

/**
 * Reads an image. Resolves to undefined if it cannot be sent, after telling the user why unless the signal is aborted,
 * as it is when the user has removed the image or signed out.
 */
export type ReadImage = (signal: AbortSignal) => Promise<SendableImage | undefined>;

/** Adds images to drafts once they are read. */
export interface ImageChooser {
  /** Shows an image as chosen and adds it once it and the ones before it are read. */
  readonly choose: (chatroomId: string, name: string, read: ReadImage) => void;
  /** Removes an image that is being read. Returns false if there is none. */
  readonly discard: (clientId: string) => boolean;
  /** Sends the draft once its images are read. Returns false if none is being read. */
  readonly sendWhenRead: (chatroomId: string) => boolean;
}

interface ImageChooserDeps {
  platform: Pick<Platform, 'logFailure'>;
  stores: {
    readonly chosenImages: StoreApi<ChosenImagesState>;
    readonly drafts: StoreApi<DraftsState>;
  };
  signal: AbortSignal;
  addImage: (chatroomId: string, image: SendableImage, clientId: string) => void;
  sendDraft: (chatroomId: string) => void;
}

/** Creates the chooser. */
export function createImageChooser(deps: ImageChooserDeps): ImageChooser {
  const { platform, stores, signal, addImage, sendDraft } = deps;
  const { chosenImages, drafts } = stores;
  const { add, setImage, remove, setAwaited } = chosenImages.getState();
  /** Whether a change of a draft is an image that was read. */
  let isAdding = false;

  const find = (clientId: string) =>
    chosenImages.getState().images.find((image) => image.clientId === clientId);

  /** Adds the images that are read and wait for no other. */
  function addRead(chatroomId: string): void {
    for (const { clientId, image } of selectChosenImages(
      chosenImages.getState().images,
      chatroomId,
    )) {
      if (!image) return;
      isAdding = true;
      addImage(chatroomId, image, clientId);
      isAdding = false;
      remove([clientId]);
    }
    if (!chosenImages.getState().awaitedBy.includes(chatroomId)) return;
    setAwaited(chatroomId, false);
    sendDraft(chatroomId);
  }

  function discard(clientId: string): boolean {
    const { chatroomId } = find(clientId) ?? {};
    if (chatroomId === undefined) return false;
    // The user did not mean to send the rest alone.
    setAwaited(chatroomId, false);
    remove([clientId]);
    addRead(chatroomId);
    return true;
  }

  async function read(clientId: string, readImage: ReadImage): Promise<void> {
    const removal = new AbortController();
    const unsubscribe = chosenImages.subscribe(() => {
      if (!find(clientId)) removal.abort();
    });
    let image: SendableImage | undefined;
    try {
      image = await readImage(AbortSignal.any([signal, removal.signal]));
    } catch (error) {
      platform.logFailure('reading an image', error);
    }
    unsubscribe();
    const chosen = find(clientId);
    if (signal.aborted || !chosen) return;
    if (image) {
      setImage(clientId, image);
      addRead(chosen.chatroomId);
    } else discard(clientId);
  }

  // What the user changes after sending is not complete, or belongs to the next message.
  drafts.subscribe((now, before) => {
    for (const chatroomId of isAdding ? [] : chosenImages.getState().awaitedBy) {
      if (identify(now, chatroomId) !== identify(before, chatroomId)) setAwaited(chatroomId, false);
    }
  });

  return {
    choose: (chatroomId, name, readImage) => {
      if (signal.aborted) return;
      const clientId = randomUuid();
      setAwaited(chatroomId, false);
      add({ clientId, chatroomId, name });
      void read(clientId, readImage);
    },
    discard,
    sendWhenRead: (chatroomId) => {
      const isReading = selectChosenImages(chosenImages.getState().images, chatroomId).length > 0;
      if (isReading) setAwaited(chatroomId, true);
      return isReading;
    },
  };
}

/** Returns a string that is another one once the user changes what a draft sends. */
function identify(state: DraftsState, chatroomId: string): string {
  const { text, replyTo, editing, attachments } = selectDraft(state, chatroomId);
  const ids = attachments.map(({ clientId }) => clientId);
  return JSON.stringify([text, replyTo?.messageId, editing?.messageId, ids]);
}
