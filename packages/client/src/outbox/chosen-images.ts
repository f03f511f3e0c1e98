import type { MediaInfo } from '@parley/contract';
import { createStore, type StoreApi } from 'zustand/vanilla';

/** An image that can be sent. */
export interface SendableImage {
  readonly file: File;
  /** Its size, unless it is not known before the image is shown. */
  readonly media: MediaInfo | undefined;
}

/** An image that the user has chosen for a draft and that is being read. A file of a cloud folder may take long. */
export interface ChosenImage {
  /** The `clientId` that it has in the outbox once it is read. */
  readonly clientId: string;
  readonly chatroomId: string;
  /** Name of the file. */
  readonly name: string;
  /** The image once it is read. It still waits for those that were chosen before. */
  readonly image?: SendableImage | undefined;
}

/** The images that are being read. They are not stored. */
export interface ChosenImagesState {
  /** The images, in the order in which they were chosen. */
  images: readonly ChosenImage[];
  /** The chatrooms whose drafts are sent once their images are read. */
  awaitedBy: readonly string[];
  add: (image: ChosenImage) => void;
  setImage: (clientId: string, image: SendableImage) => void;
  remove: (clientIds: readonly string[]) => void;
  /** Sets whether the draft of a chatroom is sent once its images are read. */
  setAwaited: (chatroomId: string, isAwaited: boolean) => void;
}

/** Returns the images that are being read for the draft of a chatroom, in the order in which they were chosen. */
export function selectChosenImages(
  images: readonly ChosenImage[],
  chatroomId: string,
): readonly ChosenImage[] {
  return images.filter((image) => image.chatroomId === chatroomId);
}

/** Creates the store. */
export function createChosenImagesStore(): StoreApi<ChosenImagesState> {
  return createStore<ChosenImagesState>()((set) => ({
    images: [],
    awaitedBy: [],
    add: (image) => set(({ images }) => ({ images: [...images, image] })),
    setImage: (clientId, image) =>
      set(({ images }) => ({
        images: images.map((each) => (each.clientId === clientId ? { ...each, image } : each)),
      })),
    remove: (clientIds) =>
      set(({ images }) => ({
        images: images.filter(({ clientId }) => !clientIds.includes(clientId)),
      })),
    setAwaited: (chatroomId, isAwaited) =>
      set((state) => {
        if (state.awaitedBy.includes(chatroomId) === isAwaited) return state;
        const others = state.awaitedBy.filter((id) => id !== chatroomId);
        return { awaitedBy: isAwaited ? [...others, chatroomId] : others };
      }),
  }));
}
