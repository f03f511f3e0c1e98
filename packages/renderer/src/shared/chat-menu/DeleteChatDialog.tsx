import { isInFlight, type Chat } from '@parley/client';
import { useRef, useState, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { useClient, useClientState } from '../../client/client-context.ts';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { toastSuccess } from '../../ui/show-toast.ts';

interface DeleteChatDialogProps {
  chat: Pick<Chat, 'id' | 'names' | 'isDeleted'>;
  /** What opened it: a button, or the list. */
  opener: RefObject<HTMLElement | null>;
  onClose: () => void;
}

/** Asks for a confirmation and deletes a chat for the user. */
export default function DeleteChatDialog({ chat, opener, onClose }: DeleteChatDialogProps) {
  const { id, names, isDeleted } = chat;
  const { t } = useTranslation();
  const client = useClient();
  const [places] = useState(() => findPlaces(opener.current, id));
  const isConfirmed = useRef(false);
  const unsent = useClientState(
    'outbox',
    ({ entries }) =>
      entries.filter(
        (each) => each.to.chatroomId === id && each.state !== 'draft' && !isInFlight(each),
      ).length,
  );
  const name = names[0] ?? '';
  const text = isDeleted ? t('deleteChat.textDeleted') : t('deleteChat.text', { name });

  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={isDeleted ? t('deleteChat.titleDeleted') : t('deleteChat.title', { name })}
      text={unsent === 0 ? text : `${text} ${t('deleteChat.unsent', { count: unsent })}`}
      confirmLabel={t('chatMenu.delete')}
      cancelLabel={t('app.cancel')}
      onConfirm={() => {
        isConfirmed.current = true;
        client.deleteChat(id);
        toastSuccess(t('deleteChat.done'), { announcesNavigation: true });
        onClose();
      }}
      danger
      finalFocus={() => {
        // The own row may still be there.
        const left = isConfirmed.current ? places.slice(1) : places;
        return left.find((place) => place?.isConnected) ?? false;
      }}
    />
  );
}

/** Finds what may have the focus afterwards: the row of the chat, or one beside it. The list ends with its last chat. */
function findPlaces(opener: HTMLElement | null, id: string): (HTMLElement | null | undefined)[] {
  const rows = [...(opener?.querySelectorAll<HTMLElement>('[data-chat]') ?? [])];
  const index = rows.findIndex((row) => row.getAttribute('data-chat') === id);
  if (index < 0) return [opener];
  const add = opener?.closest('nav')?.querySelector<HTMLElement>(':scope > a');
  return [rows[index], rows[index + 1], rows[index - 1], add];
}
