import type { MessageEntry } from '@parley/client';
import type { Message } from '@parley/contract';
import {
  CircleCheck,
  Copy,
  Download,
  Forward,
  Info,
  Link,
  Pencil,
  Reply,
  RotateCw,
  Trash2,
  type LucideIcon,
} from 'lucide-react';
import { isTextKind, mediaViewOf, viewOfKind } from '../../../../format/message-kinds.ts';

/** The message that a menu is about. */
export interface MenuSubject {
  /** Undefined while the message is only in the outbox. */
  message: Message | undefined;
  entry: MessageEntry | undefined;
  /** Its kind, which may be one of a newer version. */
  kind: string;
  content: string;
  isOwn: boolean;
  /** Whether its media is hidden, as the user has not accepted the partner. */
  isHidden: boolean;
  /** Whether it cannot be edited, as the user has blocked the partner. */
  isReadOnly: boolean;
  /** Whether the user can reply to it. */
  canReply: boolean;
  /** The sent messages of its album, with itself; empty without an album. */
  album: readonly Message[];
}

/** What the entries of the menu do. */
export interface MessageMenuActions {
  reply: (message: Message) => void;
  copyLink: (message: Message) => void;
  copyText: (text: string) => void;
  forward: () => void;
  select: () => void;
  edit: (message: Message) => void;
  confirmDelete: (messages: readonly Message[]) => void;
  showDetails: () => void;
  retry: (clientId: string) => void;
  discard: (clientId: string) => void;
}

/** How an entry of the message menu looks, and what happens to the focus. */
interface EntryView {
  icon: LucideIcon;
  /** A line separates the groups. */
  group: 'use' | 'change' | 'about';
  /** Whether it moves the focus, which otherwise returns to where it was before the menu opened. */
  movesFocus?: boolean;
  /** The key that does the same on a message that the user has reached with the keyboard. */
  letter?: MessageLetter;
}

/** The single-letter shortcuts of messages. */
export const MESSAGE_LETTERS = ['r', 'c', 'f', 'e', 'x'] as const;

/** A single-letter shortcut of messages. */
export type MessageLetter = (typeof MESSAGE_LETTERS)[number];

/** All entries, by the keys of their texts. */
const ENTRIES = {
  'message.reply': { icon: Reply, group: 'use', letter: 'r' },
  'message.copyText': { icon: Copy, group: 'use', letter: 'c' },
  'message.saveImage': { icon: Download, group: 'use' },
  'message.saveRecording': { icon: Download, group: 'use' },
  'message.copyLink': { icon: Link, group: 'use' },
  'message.forward': { icon: Forward, group: 'use', movesFocus: true, letter: 'f' },
  'message.select': { icon: CircleCheck, group: 'use', letter: 'x' },
  'message.edit': { icon: Pencil, group: 'change', movesFocus: true, letter: 'e' },
  'message.delete': { icon: Trash2, group: 'change', movesFocus: true },
  'message.deleteAlbum': { icon: Trash2, group: 'change', movesFocus: true },
  'message.retry': { icon: RotateCw, group: 'change' },
  'message.discard': { icon: Trash2, group: 'change' },
  'message.details': { icon: Info, group: 'about', movesFocus: true },
} as const satisfies Record<string, EntryView>;

/** An entry of the message menu. */
export interface MessageMenuEntry extends EntryView {
  /** Key of its text. */
  text: keyof typeof ENTRIES;
  /** The upload that it downloads. */
  download?: string;
  onSelect?: () => void;
}

/** Returns the entries of a message's menu in their order. */
export function buildMessageMenuEntries(
  subject: MenuSubject,
  actions: MessageMenuActions,
): MessageMenuEntry[] {
  const { message, entry, kind, content, isOwn, album } = subject;
  const entries: MessageMenuEntry[] = [];
  const add = (text: MessageMenuEntry['text'], onSelect: () => void): void => {
    entries.push({ text, ...ENTRIES[text], onSelect });
  };
  if (message && subject.canReply) add('message.reply', () => actions.reply(message));
  const media = mediaViewOf(kind);
  if (!media) {
    add('message.copyText', () => actions.copyText(content));
  } else if (message && !subject.isHidden && !message.media?.isBlocked) {
    entries.push({ text: media.save, ...ENTRIES[media.save], download: content });
  }
  if (message && !subject.isHidden) add('message.copyLink', () => actions.copyLink(message));
  if (message && canForward(subject)) add('message.forward', actions.forward);
  if (message && !subject.isHidden) add('message.select', actions.select);
  if (message && canEdit(subject)) add('message.edit', () => actions.edit(message));
  if (message && isOwn) {
    add('message.delete', () => actions.confirmDelete([message]));
    if (album.length > 1) add('message.deleteAlbum', () => actions.confirmDelete(album));
  }
  if (!message && entry && (entry.state === 'failed' || entry.file)) {
    const { clientId, state, failReason } = entry;
    if (state === 'failed' && !failReason) add('message.retry', () => actions.retry(clientId));
    add('message.discard', () => actions.discard(clientId));
  }
  add('message.details', actions.showDetails);
  return entries;
}

/**
 * Returns whether a message can be forwarded: not from a request, no blocked image, and nothing of which this version
 * would forward only the text.
 */
export function canForward({
  message,
  kind,
  isHidden,
}: Pick<MenuSubject, 'message' | 'kind' | 'isHidden'>): boolean {
  return !isHidden && message?.media?.isBlocked !== true && viewOfKind(kind).shape !== 'unknown';
}

/** Returns whether a message can be edited, as the user's own texts can. */
export function canEdit({
  kind,
  isOwn,
  isReadOnly,
}: Pick<MenuSubject, 'kind' | 'isOwn' | 'isReadOnly'>): boolean {
  return isOwn && isTextKind(kind) && !isReadOnly;
}
