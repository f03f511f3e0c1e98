import type { MediaInfo } from '@parley/contract';
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Platform } from '../platform.ts';

/** A picture that was chosen or a recording that was made, and that is not sent yet. */
export interface MediaDraft {
  file: Blob;
  fileName: string;
  /** Duration and waveform of a recording. */
  media: MediaInfo | undefined;
  /** To show or play it before it is uploaded. */
  previewUrl: string;
  /** Whether the user has sent it: it goes out once those before it have. */
  isGoing: boolean;
  /** 0 to 1 while it is uploaded; undefined before. */
  progress: number | undefined;
  /** Aborted once it is discarded. */
  discarded: AbortController;
}

/**
 * What waits to be sent besides text, in memory alone, by `mediaDraftKey`: a user who looks into another
 * chatroom finds it again, and what is on its way gets there.
 */
export interface MediaDraftsState {
  drafts: Readonly<Record<string, readonly MediaDraft[]>>;
  /** Puts a file behind those that are there. */
  add: (key: string, file: Blob, fileName: string, media?: MediaInfo) => void;
  /** Lets all go out that are there, or stops those that are to. */
  setGoing: (key: string, isGoing: boolean) => void;
  /** Does nothing where the file was discarded. */
  setProgress: (key: string, file: Blob, progress: number) => void;
  /** Discards one file, or all where none is given. */
  discard: (key: string, file?: Blob) => void;
  discardAll: () => void;
}

/** What is uploaded before it is sent. */
export type MediaKind = 'image' | 'audio';

/** Returns where a chatroom's drafts of one kind lie, in the order in which they go out. */
export function mediaDraftKey(kind: MediaKind, chatroomId: string): string {
  return `${kind}:${chatroomId}`;
}

const NONE: readonly MediaDraft[] = [];

/** Returns what waits at a key; the same empty list wherever nothing does. */
export function draftsAt({ drafts }: Pick<MediaDraftsState, 'drafts'>, key: string) {
  return drafts[key] ?? NONE;
}

/** Creates the store. */
export function createMediaDraftsStore({
  createPreviewUrl,
  revokePreviewUrl,
}: Pick<Platform, 'createPreviewUrl' | 'revokePreviewUrl'>): StoreApi<MediaDraftsState> {
  return createStore<MediaDraftsState>()((set) => {
    const change = (
      key: string,
      to: (drafts: readonly MediaDraft[]) => readonly MediaDraft[],
    ): void =>
      set((state) => {
        const before = draftsAt(state, key);
        const after = to(before);
        return after === before ? state : { drafts: { ...state.drafts, [key]: after } };
      });
    const release = (draft: MediaDraft): void => {
      draft.discarded.abort();
      revokePreviewUrl(draft.previewUrl);
    };
    return {
      drafts: {},
      add: (key, file, fileName, media) =>
        change(key, (drafts) => [
          ...drafts,
          {
            file,
            fileName,
            media,
            previewUrl: createPreviewUrl(file),
            isGoing: false,
            progress: undefined,
            discarded: new AbortController(),
          },
        ]),
      setGoing: (key, isGoing) =>
        change(key, (drafts) =>
          drafts.map((draft) => ({
            ...draft,
            isGoing,
            progress: isGoing ? draft.progress : undefined,
          })),
        ),
      setProgress: (key, file, progress) =>
        change(key, (drafts) =>
          drafts.some((draft) => draft.file === file)
            ? drafts.map((draft) => (draft.file === file ? { ...draft, progress } : draft))
            : drafts,
        ),
      discard: (key, file) =>
        change(key, (drafts) => {
          const isMeant = (draft: MediaDraft): boolean => file === undefined || draft.file === file;
          drafts.filter(isMeant).forEach(release);
          return drafts.filter((draft) => !isMeant(draft));
        }),
      discardAll: () =>
        set(({ drafts }) => {
          Object.values(drafts).flat().forEach(release);
          return { drafts: {} };
        }),
    };
  });
}
