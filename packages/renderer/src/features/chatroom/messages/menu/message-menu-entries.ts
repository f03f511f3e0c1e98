import type { MessageEntry } from '@parley/client';
import type { Message } from '@parley/contract';
import {
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
  edit: (message: Message) => void;
  confirmDelete: (messages: readonly Message[]) => void;
  showDetails: () => void;
  retry: (clientId: string) => void;
  discard: (clientId: string) => void;
}

/** An entry of the message menu. */
export interface MessageMenuEntry {
  /** Key of its text. */
  text: `message.${
    | 'reply'
    | 'copyText'
    | 'forward'
    | 'copyLink'
    | 'saveImage'
    | 'saveRecording'
    | 'edit'
    | 'delete'
    | 'deleteAlbum'
    | 'details'
    | 'retry'
    | 'discard'}`;
  icon: LucideIcon;
  /** A line separates the groups. */
  group: 'use' | 'change' | 'about';
  /** Whether it moves the focus, which otherwise returns to where it was before the menu opened. */
  movesFocus?: boolean;
  /** The upload that it downloads. */
  download?: string;
  onSelect?: () => void;
}

/** Returns the entries of a message's menu in their order. */
export function buildMessageMenuEntries(
  subject: MenuSubject,
  actions: MessageMenuActions,
): MessageMenuEntry[] {
  const { message, entry, kind, content, isOwn } = subject;
  const entries: MessageMenuEntry[] = [];
  if (message && subject.canReply) {
    entries.push({
      text: 'message.reply',
      icon: Reply,
      group: 'use',
      onSelect: () => actions.reply(message),
    });
  }
  const media = mediaViewOf(kind);
  if (!media) {
    entries.push({
      text: 'message.copyText',
      icon: Copy,
      group: 'use',
      onSelect: () => actions.copyText(content),
    });
  } else if (message && !subject.isHidden && !message.media?.isBlocked) {
    entries.push({
      text: media.save,
      icon: Download,
      group: 'use',
      download: content,
    });
  }
  if (message && !subject.isHidden) {
    entries.push({
      text: 'message.copyLink',
      icon: Link,
      group: 'use',
      onSelect: () => actions.copyLink(message),
    });
  }
  if (message && canForward(subject)) {
    entries.push({
      text: 'message.forward',
      icon: Forward,
      group: 'use',
      movesFocus: true,
      onSelect: actions.forward,
    });
  }
  if (message && canEdit(subject)) {
    entries.push({
      text: 'message.edit',
      icon: Pencil,
      group: 'change',
      movesFocus: true,
      onSelect: () => actions.edit(message),
    });
  }
  if (message && isOwn) {
    entries.push({
      text: 'message.delete',
      icon: Trash2,
      group: 'change',
      movesFocus: true,
      onSelect: () => actions.confirmDelete([message]),
    });
    if (subject.album.length > 1) {
      entries.push({
        text: 'message.deleteAlbum',
        icon: Trash2,
        group: 'change',
        movesFocus: true,
        onSelect: () => actions.confirmDelete(subject.album),
      });
    }
  }
  if (!message && entry && (entry.state === 'failed' || entry.file)) {
    const { clientId } = entry;
    if (entry.state === 'failed' && !entry.failReason) {
      entries.push({
        text: 'message.retry',
        icon: RotateCw,
        group: 'change',
        onSelect: () => actions.retry(clientId),
      });
    }
    entries.push({
      text: 'message.discard',
      icon: Trash2,
      group: 'change',
      onSelect: () => actions.discard(clientId),
    });
  }
  entries.push({
    text: 'message.details',
    icon: Info,
    group: 'about',
    movesFocus: true,
    onSelect: actions.showDetails,
  });
  return entries;
}

/**
 * Returns whether a message can be forwarded: not from a request, no blocked image, and nothing of which this version
 * would forward only the text.
 */
function canForward({ message, kind, isHidden }: MenuSubject): boolean {
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
