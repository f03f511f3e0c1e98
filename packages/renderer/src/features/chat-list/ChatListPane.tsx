import { UserRoundPlus } from 'lucide-react';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { useClient, useClientState } from '../../client/client-context.ts';
import { PATHS } from '../../navigation/paths.ts';
import { FirstChat } from '../../shared/invitations/FirstChat.tsx';
import { useInviteDialog, type Inviting } from '../../shared/invitations/use-invite-dialog.tsx';
import { LoadError } from '../../shared/screen/LoadError.tsx';
import { OutdatedBanner } from '../../shared/screen/OutdatedBanner.tsx';
import { useIsWide } from '../../shared/screen/use-is-wide.ts';
import { classNames } from '../../ui/class-names.ts';
import { Tooltip } from '../../ui/Tooltip.tsx';
import { VirtualChatList } from './VirtualChatList.tsx';
import css from './ChatListPane.module.css';
import { ChatListSkeleton } from './ChatListSkeleton.tsx';
import { useListSearch } from './search/list-search.ts';
import { LazySearchResults } from './search/LazySearchResults.tsx';
import { SearchField } from './search/SearchField.tsx';

/**
 * The chat list with its search and its loading, error and empty states, and the button for a new chat. Fills its
 * container.
 */
export function ChatListPane() {
  const { t } = useTranslation();
  const pane = useRef<HTMLElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const results = useRef<HTMLDivElement>(null);
  const { isActive } = useListSearch();
  const { invite, dialog } = useInviteDialog();
  const hasNoChats = useClientState('chats', ({ status, chats }) => {
    return status === 'ready' && chats.length === 0;
  });
  return (
    <nav ref={pane} className={css.pane} aria-label={t('chatList.title')}>
      {!hasNoChats && (
        <SearchField
          input={input}
          onEnterResults={() => {
            results.current?.querySelector<HTMLElement>('[data-result]')?.focus();
          }}
          onClose={() => {
            pane.current?.querySelector<HTMLElement>('[data-chat][tabindex="0"]')?.focus();
          }}
        />
      )}
      {isActive && !hasNoChats ? (
        <LazySearchResults scroller={results} onLeave={() => input.current?.focus()} />
      ) : (
        <Chats invite={invite} />
      )}
      {/* It would cover a result. */}
      {!isActive && (
        <Tooltip text={t('findUser.open')} side="left">
          <Link
            className={classNames(css.add, hasNoChats && css.quiet)}
            to={PATHS.findUser}
            aria-label={t('findUser.open')}
          >
            <UserRoundPlus />
          </Link>
        </Tooltip>
      )}
      {dialog}
    </nav>
  );
}

function Chats({ invite }: Pick<Inviting, 'invite'>) {
  const { t } = useTranslation();
  const client = useClient();
  const { status, error, chats } = useClientState('chats');
  if (status === 'loading') return <ChatListSkeleton />;
  if (status === 'error') {
    return (
      <div className={css.middle}>
        <LoadError title={t('chatList.error')} error={error} onRetry={client.reloadChats} />
      </div>
    );
  }
  return (
    <>
      <OutdatedBanner text={t('chatList.error')} error={error} onRetry={client.reloadChats} />
      {chats.length === 0 ? <NoChats invite={invite} /> : <VirtualChatList chats={chats} />}
    </>
  );
}

function NoChats({ invite }: Pick<Inviting, 'invite'>) {
  const { t } = useTranslation();
  const isWide = useIsWide();
  return (
    <div className={css.middle}>
      {isWide ? (
        // The pane beside it shows the ways to the first chat, or a screen with a main action of its own.
        <p className={css.none}>{t('chatList.empty')}</p>
      ) : (
        <FirstChat title={t('chatList.empty')} invite={invite} />
      )}
    </div>
  );
}
