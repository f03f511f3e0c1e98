import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Outlet, useLocation } from 'react-router-dom';
import { useSession } from '../../app/app-context.ts';
import { ClientProvider } from '../../client/ClientProvider.tsx';
import { PATHS, screenPath } from '../../navigation/paths.ts';
import { useIsWide } from '../../shared/screen/use-is-wide.ts';
import { usePageTitle } from '../../shared/screen/use-page-title.ts';
import { ChatListPane } from '../chat-list/ChatListPane.tsx';
import { ListSearchProvider } from '../chat-list/search/ListSearchProvider.tsx';
import { ConnectionBanner } from '../connection/ConnectionBanner.tsx';
import { Shortcuts } from '../shortcuts/Shortcuts.tsx';
import { AppHeader } from './AppHeader.tsx';
import { NotificationOffer } from './NotificationOffer.tsx';
import { SharedContentBanner } from './SharedContentBanner.tsx';
import css from './SignedInFrame.module.css';
import { SignOutDialog } from './SignOutDialog.tsx';
import { UpdateBanner } from './UpdateBanner.tsx';
import { useSignOut } from './use-sign-out.ts';

const CONTENT_ID = 'content';

/**
 * The layout of the signed-in screens: the chat list beside the open screen, or only one of the two if narrow. Without a
 * user, as while the server cannot tell who is signed in, only the open screen.
 */
export function SignedInFrame() {
  const isSignedIn = useSession(({ user }) => user !== undefined);
  if (isSignedIn) return <UserLayout />;
  return (
    <div className={css.stage}>
      <main className={css.alone}>
        <Outlet />
      </main>
    </div>
  );
}

function UserLayout() {
  const isWide = useIsWide();
  const { pathname } = useLocation();
  const isAtChats = pathname.replace(/\/+$/, '') === PATHS.chats;
  return (
    <ClientProvider>
      {isAtChats && <ChatsTitle />}
      <SignedInShortcuts />
      <ListSearchProvider>
        <Panes isWide={isWide} isAtChats={isAtChats} path={screenPath(pathname)} />
      </ListSearchProvider>
    </ClientProvider>
  );
}

interface PanesProps {
  isWide: boolean;
  /** Whether the chat list itself is open, beside which a wide window shows a welcome. */
  isAtChats: boolean;
  path: string;
}

/** The chat list and the open screen, which keeps its state when the window becomes wide or narrow. */
function Panes({ isWide, isAtChats, path }: PanesProps) {
  const { t } = useTranslation();
  const screenKey = useScreenKey(isWide, path);
  const narrowClass = isAtChats ? undefined : css.stage;
  return (
    // A stage clips screens that slide in from outside the window.
    <div className={isWide ? css.wide : narrowClass}>
      {isWide && (
        <a className={css.skip} href={`#${CONTENT_ID}`}>
          {t('app.skip')}
        </a>
      )}
      {isWide || isAtChats ? <ListPane isMain={!isWide} /> : <Banners />}
      {(isWide || !isAtChats) && (
        <main
          key={screenKey}
          id={CONTENT_ID}
          tabIndex={-1}
          className={isWide ? css.screen : css.alone}
        >
          <Outlet />
        </main>
      )}
    </div>
  );
}

/** Returns a key that changes with the path in narrow windows, where each screen slides in. */
function useScreenKey(isWide: boolean, path: string): number {
  const [screen, setScreen] = useState({ path, key: 0 });
  if (screen.path === path) return screen.key;
  const key = isWide ? screen.key : screen.key + 1;
  setScreen({ path, key });
  return key;
}

function ListPane({ isMain }: { isMain: boolean }) {
  const Frame = isMain ? 'main' : 'div';
  return (
    <Frame className={css.list}>
      <AppHeader isHeading={isMain} />
      <Banners />
      <NotificationOffer />
      <ChatListPane />
    </Frame>
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

function SignedInShortcuts() {
  const { signOut, ...question } = useSignOut();
  return (
    <>
      <Shortcuts onSignOut={signOut} />
      <SignOutDialog {...question} />
    </>
  );
}

function ChatsTitle() {
  const { t } = useTranslation();
  usePageTitle(t('frame.chats'));
  return null;
}
