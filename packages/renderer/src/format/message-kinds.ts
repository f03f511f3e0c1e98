import type { MessageKind } from '@parley/contract';
import { Image, Mic, type LucideIcon } from 'lucide-react';

/** A kind whose content is the URL of an upload. */
export interface MediaKindView {
  readonly shape: 'media';
  /** What its bubble contains. */
  readonly bubble: 'image' | 'audio';
  readonly icon: LucideIcon;
  /** Whether its content can be displayed as a picture: small beside its label, in an album, and enlarged. */
  readonly isPicture: boolean;
  /** Keys of what it is called in previews, results, reports and quotes. */
  readonly label: {
    readonly preview: 'chatList.sentImage' | 'chatList.sentAudio';
    readonly result: 'search.image' | 'search.recording';
    readonly report: 'report.image' | 'report.audio';
    readonly quote: 'reply.photo' | 'reply.recording';
  };
  /** Key of the text in a message request, which does not show it. */
  readonly hidden: 'request.imageHidden' | 'request.audioHidden';
  /** Key of the text of a reaction to the user's message. */
  readonly reaction: 'reaction.receivedImage' | 'reaction.receivedAudio';
  /** Key of the menu's entry that saves it. */
  readonly save: 'message.saveImage' | 'message.saveRecording';
}

/**
 * How messages of a kind are displayed and what can be done with them: texts, media, and kinds of newer versions, whose
 * content is displayed as text.
 */
export type KindView = { readonly shape: 'text' } | MediaKindView | { readonly shape: 'unknown' };

const KINDS: Readonly<Record<MessageKind, KindView>> = {
  text: { shape: 'text' },
  image: {
    shape: 'media',
    bubble: 'image',
    icon: Image,
    isPicture: true,
    label: {
      preview: 'chatList.sentImage',
      result: 'search.image',
      report: 'report.image',
      quote: 'reply.photo',
    },
    hidden: 'request.imageHidden',
    reaction: 'reaction.receivedImage',
    save: 'message.saveImage',
  },
  audio: {
    shape: 'media',
    bubble: 'audio',
    icon: Mic,
    isPicture: false,
    label: {
      preview: 'chatList.sentAudio',
      result: 'search.recording',
      report: 'report.audio',
      quote: 'reply.recording',
    },
    hidden: 'request.audioHidden',
    reaction: 'reaction.receivedAudio',
    save: 'message.saveRecording',
  },
};

const UNKNOWN: KindView = { shape: 'unknown' };

/** Returns the view of a kind, also of one of a newer version. */
export function viewOfKind(kind: string): KindView {
  return Object.hasOwn(KINDS, kind) ? KINDS[kind as MessageKind] : UNKNOWN;
}

/** Returns the view of a kind of media, or undefined for texts and kinds of newer versions. */
export function mediaViewOf(kind: string): MediaKindView | undefined {
  const view = viewOfKind(kind);
  return view.shape === 'media' ? view : undefined;
}

/** Returns whether a message is a text, which can be edited, has links and may consist of emoji only. */
export function isTextKind(kind: string): boolean {
  return viewOfKind(kind).shape === 'text';
}

/** Returns whether the content of a message is a picture. */
export function isPictureKind(kind: string | undefined): boolean {
  return kind !== undefined && mediaViewOf(kind)?.isPicture === true;
}
