import { create } from 'zustand';

/** A picture that was chosen or a recording that was made, and that is not sent yet. */
export interface MediaDraft {
  file: Blob;
  fileName: string;
  /** To show or play it before it is anywhere. */
  previewUrl: string;
  /** 0 to 1 while it is on its way; undefined before. */
  progress: number | undefined;
  /** Aborted once it is dropped or another one is in its place. */
  dropped: AbortController;
}

/**
 * What waits to be sent besides text, in memory alone, by `mediaDraftKey`: who looks into another room
 * finds it again, and what is on its way gets there.
 */
export interface MediaDraftsState {
  drafts: Readonly<Record<string, MediaDraft>>;
  /** Puts a file in place of what was there. */
  put: (key: string, file: Blob, fileName: string) => void;
  /** Does nothing where another file is in its place by now. */
  setProgress: (key: string, file: Blob, progress: number | undefined) => void;
  drop: (key: string) => void;
  /** Drops everything. */
  reset: () => void;
}

/** What is uploaded before it is sent. */
export type MediaKind = 'image' | 'audio';

/** A room has one draft of each kind at most. */
export function mediaDraftKey(kind: MediaKind, chatId: string): string {
  return `${kind}:${chatId}`;
}

/** The pictures and recordings that the person who is signed in has not sent yet. */
export const useMediaDrafts = create<MediaDraftsState>()((set, get) => {
  const letGo = (draft: MediaDraft | undefined): void => {
    if (!draft) return;
    draft.dropped.abort();
    URL.revokeObjectURL(draft.previewUrl);
  };
  return {
    drafts: {},
    put: (key, file, fileName) => {
      letGo(get().drafts[key]);
      const draft: MediaDraft = {
        file,
        fileName,
        previewUrl: URL.createObjectURL(file),
        progress: undefined,
        dropped: new AbortController(),
      };
      set(({ drafts }) => ({ drafts: { ...drafts, [key]: draft } }));
    },
    setProgress: (key, file, progress) =>
      set((state) => {
        const draft = state.drafts[key];
        if (draft?.file !== file) return state;
        return { drafts: { ...state.drafts, [key]: { ...draft, progress } } };
      }),
    drop: (key) => {
      const { [key]: draft, ...drafts } = get().drafts;
      letGo(draft);
      if (draft) set({ drafts });
    },
    reset: () => {
      for (const draft of Object.values(get().drafts)) letGo(draft);
      set({ drafts: {} });
    },
  };
});
