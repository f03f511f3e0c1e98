import type { MessageEntry } from '@parley/client';
import type { Message, MessageKind } from '@parley/contract';
import { Copy, Download, Info, Pencil, RotateCw, Trash2, type LucideIcon } from 'lucide-react';

/** The message that a menu is about. */
export interface MenuSubject {
  /** Undefined while the message is only in the outbox. */
  message: Message | undefined;
  entry: MessageEntry | undefined;
  kind: MessageKind;
  content: string;
  isOwn: boolean;
  /** Whether its media is hidden, as the user has not accepted the partner. */
  isHidden: boolean;
  /** Whether it cannot be edited, as the user has blocked the partner. */
  isReadOnly: boolean;
}

/** What the entries of the menu do. */
export interface MessageMenuActions {
  copyText: (text: string) => void;
  edit: (message: Message) => void;
  confirmDelete: (message: Message) => void;
  showDetails: () => void;
  retry: (clientId: string) => void;
  discard: (clientId: string) => void;
}

/** An entry of the message menu. */
export interface MessageMenuEntry {
  /** Key of its text. */
  text: `message.${
    | 'copyText'
    | 'saveImage'
    | 'saveRecording'
    | 'edit'
    | 'delete'
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
  if (kind === 'text') {
    entries.push({
      text: 'message.copyText',
      icon: Copy,
      group: 'use',
      onSelect: () => actions.copyText(content),
    });
  } else if (message && !subject.isHidden && !message.media?.isBlocked) {
    entries.push({
      text: kind === 'image' ? 'message.saveImage' : 'message.saveRecording',
      icon: Download,
      group: 'use',
      download: content,
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
      onSelect: () => actions.confirmDelete(message),
    });
  }
  if (!message && entry?.state === 'failed') {
    const { clientId } = entry;
    entries.push(
      {
        text: 'message.retry',
        icon: RotateCw,
        group: 'change',
        onSelect: () => actions.retry(clientId),
      },
      {
        text: 'message.discard',
        icon: Trash2,
        group: 'change',
        onSelect: () => actions.discard(clientId),
      },
    );
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

/** Returns whether a message can be edited, as the user's own texts can. */
export function canEdit({
  kind,
  isOwn,
  isReadOnly,
}: Pick<MenuSubject, 'kind' | 'isOwn' | 'isReadOnly'>): boolean {
  return isOwn && kind === 'text' && !isReadOnly;
}
