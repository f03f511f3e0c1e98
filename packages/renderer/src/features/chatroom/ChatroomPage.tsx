import { useEffect, useLayoutEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Navigate, useParams } from 'react-router-dom';
import { useClient, useClientState } from '../../client/client-context.ts';
import { PATHS } from '../../navigation/paths.ts';
import { LoadError } from '../../shared/screen/LoadError.tsx';
import { usePageTitle } from '../../shared/screen/use-page-title.ts';
import css from './ChatroomView.module.css';
import { ChatroomView } from './ChatroomView.tsx';
import { ChatroomHeader } from './ChatroomHeader.tsx';
import { ChatroomSkeleton } from './ChatroomSkeleton.tsx';

/**
 * A chatroom and its loading and error states. Redirects to the chat list if the chat was removed, and to the 404
 * page if it does not exist or belongs to other users.
 */
export function ChatroomPage() {
  const { id = '' } = useParams();
  const client = useClient();
  const entry = useClientState('rooms', (state) => state.rooms[id]);
  // The entry before the chatroom is opened may be outdated.
  const [before, setBefore] = useState({ id, entry });
  if (before.id !== id) setBefore({ id, entry });
  const [shownId, setShownId] = useState<string>();
  if (entry?.status === 'ready' && shownId !== id) setShownId(id);

  const openedId = useClientState('view', ({ chatroomId }) => chatroomId);
  // Before the list is shown, as this decides which messages it shows first.
  useLayoutEffect(() => {
    // Set before loading, so that a reconnect reloads this room.
    client.view.getState().setView(id, false);
    void client.open(id);
  }, [client, id]);
  useEffect(
    () => () => {
      const { chatroomId, setView } = client.view.getState();
      // Another chatroom may be open already.
      if (chatroomId === id) setView(undefined, false);
      client.leave(id);
    },
    [client, id],
  );

  const isNew = before.id === id && entry !== before.entry;
  if (entry?.status === 'missing' && (isNew || entry.isDecided)) {
    // The user deleted or blocked the chat, possibly on another device.
    const isRemoved = entry.isHidden || shownId === id;
    return <Navigate to={isRemoved ? PATHS.chats : PATHS.notFound} replace />;
  }
  if (entry?.status === 'ready' && openedId === id) {
    return (
      <ChatroomView
        key={id}
        room={entry.room}
        isLoadingOlder={entry.isLoadingOlder}
        isFromCopy={entry.isFromCopy ?? false}
      />
    );
  }
  return <PendingChatroom id={id} failed={entry?.status === 'error' ? entry : undefined} />;
}

function PendingChatroom({ id, failed }: { id: string; failed: { error: unknown } | undefined }) {
  const { t } = useTranslation();
  const client = useClient();
  const known = useClientState('chats', (state) => state.chats.find((each) => each.id === id));
  const name = known?.names.join(', ');
  usePageTitle(name || t('frame.chats'));
  return (
    <div className={css.room}>
      <ChatroomHeader partnerName={name} isDeleted={known?.isDeleted ?? false} />
      {failed ? (
        <div className={css.middle}>
          <LoadError
            title={t('room.error')}
            error={failed.error}
            note={t('room.errorHelp')}
            onRetry={() => void client.open(id)}
          />
        </div>
      ) : (
        <ChatroomSkeleton />
      )}
    </div>
  );
}
