import { isServerReachable, selectDraft, selectFirstMessage } from '@parley/client';
import { cleanText, DELETED_USER, isSendable, usernameKey } from '@parley/contract';
import { SendHorizontal, X } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Navigate, useParams } from 'react-router-dom';
import { useClient, useClientState } from '../../client/client-context.ts';
import { chatPath } from '../../navigation/paths.ts';
import inputCss from '../../shared/input-bar/InputBar.module.css';
import { EmojiButton } from '../../shared/input-bar/emoji/EmojiButton.tsx';
import { InputFrame } from '../../shared/input-bar/InputFrame.tsx';
import { TextBox } from '../../shared/input-bar/TextBox.tsx';
import { excessLength } from '../../shared/input-bar/excess-length.ts';
import { LengthWarning } from '../../shared/input-bar/LengthWarning.tsx';
import { ScreenHeader } from '../../shared/screen/ScreenHeader.tsx';
import { Avatar } from '../../ui/Avatar.tsx';
import { IconButton } from '../../ui/IconButton.tsx';
import { toastError } from '../../ui/show-toast.ts';
import css from './NewChatroomPage.module.css';

/** The page for writing the first message to a user, which creates the chatroom. */
export function NewChatroomPage() {
  const { t } = useTranslation();
  const { username = '' } = useParams();
  const key = usernameKey(username);
  const client = useClient();
  const box = useRef<HTMLTextAreaElement>(null);
  // Drafts are stored by chatroom id, and this chatroom has none yet.
  const draftKey = `new:${username}`;
  const text = useClientState('drafts', (state) => selectDraft(state, draftKey).text);
  const setText = (value: string): void =>
    client.drafts.getState().change(draftKey, { text: value });
  const firstMessage = useClientState('outbox', ({ entries }) =>
    selectFirstMessage(entries, username),
  );
  const created = useClientState('outbox', (state) => state.created[key]);
  const existing = useClientState('chats', ({ chats }) =>
    chats.find(
      ({ names, isDeleted }) => !isDeleted && names.some((name) => usernameKey(name) === key),
    ),
  );
  const isOnline = useClientState('connection', isServerReachable);
  const isBusy = firstMessage !== undefined && firstMessage.state !== 'draft';
  const isLimited = firstMessage?.waitReason === 'limit';
  const isWaiting = firstMessage?.state === 'waiting' && (!isOnline || isLimited);

  useEffect(() => box.current?.focus(), []);

  useEffect(() => () => client.outbox.getState().forgetCreated(username), [client, username]);

  if (created) return <Navigate to={chatPath(created.chatroomId)} replace />;
  // An earlier page may have sent the message, or the partner has written first. What the user is
  // writing stays in view.
  if (existing && !firstMessage && text === '') {
    return <Navigate to={chatPath(existing.id)} replace />;
  }

  const isDeleted = key === usernameKey(DELETED_USER);
  const content = cleanText(text);
  const excess = excessLength(text);
  const canSend = isSendable(content) && excess === 0 && !isBusy;
  const submit = (): void => {
    if (!canSend) return;
    if (isDeleted) {
      toastError(t('room.partnerDeleted'), { position: 'bottom-center' });
      setText('');
      return;
    }
    client.sendFirstMessage(username, content);
  };

  return (
    <div className={css.page}>
      <ScreenHeader
        title={t('newChatroom.title')}
        pageTitle={username}
        backLabel={t('newChatroom.back')}
      />
      <div className={css.middle}>
        <Avatar name={username} size={96} />
        <p className={css.to} dir="auto">
          {t('newChatroom.to', { name: username })}
        </p>
      </div>
      <InputFrame>
        <LengthWarning excess={excess} />
        {isWaiting && (
          <output className={css.waiting}>
            {isLimited ? t('message.limited') : t('message.waiting')}
          </output>
        )}
        <div className={inputCss.bar}>
          <EmojiButton box={box} />
          <TextBox
            ref={box}
            value={text}
            onValueChange={setText}
            onSend={submit}
            isInvalid={excess > 0}
            isReadOnly={isBusy}
          />
          {isWaiting ? (
            <IconButton
              label={t('newChatroom.cancelSending')}
              icon={<X />}
              onClick={() => client.cancelFirstMessage(firstMessage.clientId)}
            />
          ) : (
            <IconButton
              label={t('composer.send')}
              variant="own"
              icon={<SendHorizontal />}
              aria-disabled={!canSend || undefined}
              aria-busy={isBusy || undefined}
              className={canSend ? undefined : inputCss.idle}
              onClick={submit}
            />
          )}
        </div>
      </InputFrame>
    </div>
  );
}
