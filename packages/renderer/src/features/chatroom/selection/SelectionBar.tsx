import type { Message } from '@parley/contract';
import type { LoadedChatroom } from '@parley/client';
import { Copy, Forward, Trash2, X } from 'lucide-react';
import { useRef, useState, type ReactNode, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { copyText } from '../../../browser/copy-text.ts';
import { useLanguage } from '../../../i18n/use-language.ts';
import { classNames } from '../../../ui/class-names.ts';
import { IconButton } from '../../../ui/IconButton.tsx';
import { toastError, toastInfo, toastSuccess } from '../../../ui/show-toast.ts';
import { useChatroomMode } from '../chatroom-mode.ts';
import { ForwardDialog } from '../messages/forward/ForwardDialog.tsx';
import { DeleteMessageDialog } from '../messages/menu/DeleteMessageDialog.tsx';
import { canForward } from '../messages/menu/message-menu-entries.ts';
import { copiedText } from './copied-text.ts';
import css from './SelectionBar.module.css';

interface SelectionBarProps {
  room: LoadedChatroom;
  /** The selected messages, oldest first. */
  messages: readonly Message[];
  /** Contains the chatroom. */
  section: RefObject<HTMLElement | null>;
  /**
   * Ends the selection.
   * @param keepsFocus whether the focus is moved elsewhere
   */
  onEnd: (keepsFocus?: boolean) => void;
}

/** The bar in place of the composer with what can be done with the selected messages. */
export function SelectionBar({ room, messages, section, onEnd }: SelectionBarProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { isQuiet } = useChatroomMode();
  const [dialog, setDialog] = useState<'forward' | 'delete'>();
  const opener = useRef<HTMLElement>(null);
  const count = messages.length;
  const isOwn = ({ sender }: Message): boolean => sender.username === room.currentUsername;
  const isForwardable = (message: Message): boolean =>
    canForward({ message, kind: message.kind, isHidden: isQuiet && !isOwn(message) });
  const closeDialog = (): void => setDialog(undefined);

  const copy = async (): Promise<void> => {
    if (!(await copyText(copiedText(messages, language, t)))) {
      toastError(t('message.copyFailed'));
      return;
    }
    toastSuccess(count === 1 ? t('message.copied') : t('selection.copied', { count }));
    onEnd();
  };
  const open = (name: typeof dialog, button: HTMLElement): void => {
    opener.current = button;
    setDialog(name);
  };

  return (
    <section className={classNames('fade-in', css.bar)} aria-label={t('selection.title')}>
      <IconButton label={t('selection.cancel')} icon={<X />} onClick={() => onEnd()} />
      <p className={css.count}>{t('selection.count', { count })}</p>
      <BarButton
        icon={<Copy />}
        label={t('selection.copy')}
        isDisabled={count === 0}
        onClick={() => void copy()}
      />
      <BarButton
        icon={<Forward />}
        label={t('message.forward')}
        isDisabled={count === 0}
        reason={messages.every(isForwardable) ? undefined : t('selection.cannotForward')}
        onClick={(button) => open('forward', button)}
      />
      <BarButton
        icon={<Trash2 />}
        label={t('message.delete')}
        isDisabled={count === 0}
        reason={messages.every(isOwn) ? undefined : t('selection.onlyOwn')}
        isDanger
        onClick={(button) => open('delete', button)}
      />
      {dialog === 'forward' && count > 0 && (
        <ForwardDialog
          messages={messages}
          {...(count > 1 && { text: t('selection.messages', { count }) })}
          finalFocus={opener}
          onForwarded={() => onEnd()}
          onClose={closeDialog}
        />
      )}
      {dialog === 'delete' && count > 0 && (
        <DeleteMessageDialog
          messages={messages}
          frame={section}
          finalFocus={opener}
          onDeleted={() => onEnd(true)}
          onClose={closeDialog}
        />
      )}
    </section>
  );
}

interface BarButtonProps {
  icon: ReactNode;
  label: string;
  isDisabled: boolean;
  /** Why it is disabled, if there is a reason to tell. */
  reason?: string | undefined;
  isDanger?: boolean;
  onClick: (button: HTMLElement) => void;
}

/** A button whose label is hidden in a narrow window. If it is disabled, a click tells why. */
function BarButton({ icon, label, isDisabled, reason, isDanger, onClick }: BarButtonProps) {
  const isUnavailable = isDisabled || reason !== undefined;
  return (
    <button
      type="button"
      className={classNames(css.button, isDanger && css.danger)}
      title={reason ?? label}
      aria-disabled={isUnavailable || undefined}
      onClick={({ currentTarget }) => {
        if (!isUnavailable) onClick(currentTarget);
        else if (!isDisabled && reason !== undefined) toastInfo(reason);
      }}
    >
      {icon}
      <span className={css.label}>{label}</span>
    </button>
  );
}
