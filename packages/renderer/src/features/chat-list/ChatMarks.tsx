import {
  deliveryOf,
  selectDraft,
  type Chat,
  type ListedChat,
  type OutboxEntry,
} from '@parley/client';
import { isBlank, UI } from '@parley/contract';
import { CircleAlert, Clock3, Pencil, type LucideIcon } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useClientState } from '../../client/client-context.ts';
import { EmojiText } from '../../format/EmojiText.tsx';
import { messagePlainText } from '../../format/message-plain-text.ts';
import { shorten } from '../../format/preview.ts';
import { DeliveryIcon } from '../../shared/delivery/DeliveryIcon.tsx';
import css from './ChatMarks.module.css';

interface ChatMarksProps {
  chat: ListedChat;
  /** Whether the chat is open, which shows its draft itself. */
  isActive: boolean;
}

/**
 * The marks beside a chat's time: that it has a draft, whether a message was not sent yet or could not be sent, else how
 * far the last own message is, and the partner's reaction if it is newer than all messages.
 */
export function ChatMarks({ chat, isActive }: ChatMarksProps) {
  const { t } = useTranslation();
  const { last, isDeleted } = chat;
  const unsent = useClientState('outbox', ({ entries }) => findUnsentState(entries, chat.id));
  return (
    <>
      {!isDeleted && !isActive && <DraftMark chatroomId={chat.id} />}
      {unsent && (
        <ChatMark
          icon={unsent === 'failed' ? CircleAlert : Clock3}
          label={t(`message.${unsent}`)}
          state={unsent}
        />
      )}
      {last?.isOwn && !isDeleted && !unsent && (
        <DeliveryIcon delivery={deliveryOf(last.seq, chat.receipt)} />
      )}
      {chat.reaction && !isDeleted && <ReactionMark reaction={chat.reaction} />}
    </>
  );
}

interface ChatMarkProps {
  icon: LucideIcon;
  label: string;
  state?: UnsentState;
}

/** A small icon with a text for screen readers and tooltips. */
export function ChatMark({ icon: Icon, label, state }: ChatMarkProps) {
  return (
    <span className={css.mark} title={label} data-state={state}>
      <Icon />
      <span className="visually-hidden">{label}</span>
    </span>
  );
}

function DraftMark({ chatroomId }: { chatroomId: string }) {
  const { t } = useTranslation();
  const hasDraft = useClientState('drafts', (state) => {
    const { text, editing, attachments } = selectDraft(state, chatroomId);
    return !isBlank(text) || editing !== undefined || attachments.length > 0;
  });
  return hasDraft && <ChatMark icon={Pencil} label={t('chatList.draft')} />;
}

function ReactionMark({ reaction }: { reaction: NonNullable<Chat['reaction']> }) {
  const { t } = useTranslation();
  const { emoji, kind, content } = reaction;
  const excerpt = shorten(content, UI.previewNarrow);
  const text = messagePlainText({ kind, content: excerpt, reaction: emoji }, t);
  return (
    <span className={css.emoji} title={text}>
      <span aria-hidden="true">
        <EmojiText text={emoji} />
      </span>
      <span className="visually-hidden">{text}</span>
    </span>
  );
}

type UnsentState = Exclude<OutboxEntry['state'], 'draft'>;

/** Returns the state to show of a chat's unsent messages: a failed one needs the user's attention first. */
function findUnsentState(
  entries: readonly OutboxEntry[],
  chatroomId: string,
): UnsentState | undefined {
  const states = new Set(
    entries.filter(({ to }) => to.chatroomId === chatroomId).map(({ state }) => state),
  );
  return (['failed', 'waiting', 'sending'] as const).find((state) => states.has(state));
}
