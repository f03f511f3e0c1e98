import { useTranslation } from 'react-i18next';
import { Outlet, useLocation } from 'react-router-dom';
import { ClientProvider } from '../../client/ClientProvider.tsx';
import { PATHS } from '../../routes/paths.ts';
import { useIsWide } from '../../shared/screen/use-is-wide.ts';
import { usePageTitle } from '../../shared/screen/use-page-title.ts';
import { ChatListPane } from '../chat-list/ChatListPane.tsx';
import { ListSearchProvider } from '../chat-list/search/ListSearchProvider.tsx';
import { ConnectionBanner } from '../connection/ConnectionBanner.tsx';
import { Shortcuts } from '../shortcuts/Shortcuts.tsx';
import { AppHeader } from './AppHeader.tsx';
import { SharedContentBanner } from './SharedContentBanner.tsx';
import css from './SignedInShell.module.css';
import { UpdateBanner } from './UpdateBanner.tsx';

const CONTENT_ID = 'content';

/** The layout of the signed-in screens: the chat list beside the open screen, or only one of the two if narrow. */
export function SignedInShell() {
  const isWide = useIsWide();
  const { pathname } = useLocation();
  const isAtChats = pathname.replace(/\/+$/, '') === PATHS.chats;
  return (
    <ClientProvider>
      {isAtChats && <ChatsTitle />}
      <Shortcuts />
      <ListSearchProvider>
        {isWide ? (
          <TwoPaneLayout />
        ) : isAtChats ? (
          <SinglePaneList />
        ) : (
          <SinglePaneScreen path={pathname} />
        )}
      </ListSearchProvider>
    </ClientProvider>
  );
}

function TwoPaneLayout() {
  const { t } = useTranslation();
  return (
    <div className={css.wide}>
      <a className={css.skip} href={`#${CONTENT_ID}`}>
        {t('app.skip')}
      </a>
      <div className={css.list}>
        <AppHeader />
        <Banners />
        <ChatListPane />
      </div>
      <main id={CONTENT_ID} tabIndex={-1} className={css.screen}>
        <Outlet />
      </main>
    </div>
  );
}

function SinglePaneList() {
  return (
    <main className={css.list}>
      <AppHeader isHeading />
      <Banners />
      <ChatListPane />
    </main>
  );
}

function SinglePaneScreen({ path }: { path: string }) {
  return (
    // Clips screens that slide in from outside the window.
    <div className={css.stage}>
      <Banners />
      <main key={path} className={css.alone}>
        <Outlet />
      </main>
    </div>
  );
}

function Banners() {
  return (
    <>
      <ConnectionBanner />
      <UpdateBanner />
      <SharedContentBanner />
    </>
  );
}

function ChatsTitle() {
  const { t } = useTranslation();
  usePageTitle(t('shell.chats'));
  return null;
}
