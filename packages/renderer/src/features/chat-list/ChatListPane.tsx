import { UserRoundPlus } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { useClient, useClientState } from '../../client/client-context.ts';
import { PATHS } from '../../routes/paths.ts';
import { LoadError } from '../../shared/screen/LoadError.tsx';
import { useIsWide } from '../../shared/screen/use-is-wide.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { LinkButton } from '../../ui/LinkButton.tsx';
import { RobotLogo } from '../../ui/RobotLogo.tsx';
import { Tooltip } from '../../ui/Tooltip.tsx';
import { VirtualChatList } from './VirtualChatList.tsx';
import css from './ChatListPane.module.css';
import { ChatListSkeleton } from './ChatListSkeleton.tsx';

/** The chat list with its loading, error and empty states, and the button for a new chat. Fills its container. */
export function ChatListPane() {
  const { t } = useTranslation();
  return (
    <nav className={css.pane} aria-label={t('chatList.title')}>
      <Chats />
      <Tooltip text={t('chatList.add')} side="left">
        <Link className={css.add} to={PATHS.findUser} aria-label={t('chatList.add')}>
          <UserRoundPlus aria-hidden="true" />
        </Link>
      </Tooltip>
    </nav>
  );
}

function Chats() {
  const { t } = useTranslation();
  const client = useClient();
  const { status, chats, error } = useClientState('chats');
  const isWide = useIsWide();
  if (status === 'loading') return <ChatListSkeleton />;
  if (status === 'error') {
    return (
      <div className={css.middle}>
        <LoadError title={t('chatList.error')} error={error} onRetry={client.reloadChats} />
      </div>
    );
  }
  if (chats.length === 0) {
    return (
      <div className={css.middle}>
        <EmptyState
          illustration={<RobotLogo size={72} />}
          title={t('chatList.empty')}
          text={t('chatList.emptyHelp')}
          // On wide screens, the pane beside it has the same button.
          action={!isWide && <LinkButton to={PATHS.findUser}>{t('shell.findUser')}</LinkButton>}
        />
      </div>
    );
  }
  return <VirtualChatList chats={chats} />;
}
