import type { MediaInfo } from '@parley/contract';
import { create } from 'zustand';

/** A picture that was chosen or a recording that was made, and that is not sent yet. */
export interface MediaDraft {
  file: Blob;
  fileName: string;
  /** Duration and waveform of a recording. */
  media: MediaInfo | undefined;
  /** To show or play it before it is anywhere. */
  previewUrl: string;
  /** Whether the person has sent it: it goes out once those before it have. */
  isGoing: boolean;
  /** 0 to 1 while it is uploaded; undefined before. */
  progress: number | undefined;
  /** Aborted once it is dropped. */
  dropped: AbortController;
}

/**
 * What waits to be sent besides text, in memory alone, by `mediaDraftKey`: who looks into another room
 * finds it again, and what is on its way gets there.
 */
export interface MediaDraftsState {
  drafts: Readonly<Record<string, readonly MediaDraft[]>>;
  /** Puts a file behind those that are there. */
  add: (key: string, file: Blob, fileName: string, media?: MediaInfo) => void;
  /** Lets all go out that are there, or stops those that are to. */
  setGoing: (key: string, isGoing: boolean) => void;
  /** Does nothing where the file was dropped. */
  setProgress: (key: string, file: Blob, progress: number) => void;
  /** Drops one file, or all where none is given. */
  drop: (key: string, file?: Blob) => void;
  /** Drops everything. */
  reset: () => void;
}

/** What is uploaded before it is sent. */
export type MediaKind = 'image' | 'audio';

/** Where the drafts of one kind lie that a room has, in the order in which they go out. */
export function mediaDraftKey(kind: MediaKind, chatId: string): string {
  return `${kind}:${chatId}`;
}

const NONE: readonly MediaDraft[] = [];

/** What waits at a key; the same empty list wherever nothing does. */
export function draftsAt({ drafts }: Pick<MediaDraftsState, 'drafts'>, key: string) {
  return drafts[key] ?? NONE;
}

/** The pictures and recordings that the person who is signed in has not sent yet. */
export const useMediaDrafts = create<MediaDraftsState>()((set) => {
  const change = (
    key: string,
    to: (drafts: readonly MediaDraft[]) => readonly MediaDraft[],
  ): void =>
    set((state) => {
      const before = draftsAt(state, key);
      const after = to(before);
      return after === before ? state : { drafts: { ...state.drafts, [key]: after } };
    });
  const letGo = (draft: MediaDraft): void => {
    draft.dropped.abort();
    URL.revokeObjectURL(draft.previewUrl);
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
          previewUrl: URL.createObjectURL(file),
          isGoing: false,
          progress: undefined,
          dropped: new AbortController(),
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
    drop: (key, file) =>
      change(key, (drafts) => {
        const isMeant = (draft: MediaDraft): boolean => file === undefined || draft.file === file;
        drafts.filter(isMeant).forEach(letGo);
        return drafts.filter((draft) => !isMeant(draft));
      }),
    reset: () =>
      set(({ drafts }) => {
        Object.values(drafts).flat().forEach(letGo);
        return { drafts: {} };
      }),
  };
});
