import { lazy, Suspense, useEffect, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { createBrowserRouter, useLocation } from 'react-router-dom';
import { RootLayout } from '../features/frame/RootLayout.tsx';
import { Splash } from '../features/frame/Splash.tsx';
import { RootError, ScreenError } from '../features/frame/route-errors.tsx';
import { LoginPage } from '../features/login/LoginPage.tsx';
import type { ScreenTexts } from '../i18n/i18n.ts';
import type { LoadScreenTexts } from '../i18n/use-language.ts';
import { createBackLayers, type RouterBackLayers } from '../navigation/back-layers.ts';
import { trackHistory } from '../navigation/history-trail.ts';
import { openPath, OpenPathContext, type OpenPath } from '../navigation/open-path.ts';
import { PATHS } from '../navigation/paths.ts';
import {
  shortenAddress,
  ShortenAddressContext,
  type ShortenAddress,
} from '../navigation/shorten-address.ts';
import { BackLayersContext } from '../ui/use-close-on-back.ts';
import { GuestRoute, ProtectedRoute } from './guards.tsx';
import {
  lazyScreen,
  publicScreens,
  signedInScreens,
  signOutFirst,
  guestScreens,
  type ScreenLoader,
} from './screens.ts';

/** The router, and how links and notifications from outside the page lead to its screens. */
export interface AppRouter {
  router: ReturnType<typeof createBrowserRouter>;
  openPath: OpenPath;
  /** Removes it from the history of the page. */
  dispose: () => void;
}

/** Creates the router. Only the login page and its texts are part of the first load. */
export function createRouter(loadScreenTexts: LoadScreenTexts): AppRouter {
  const backLayers = createBackLayers();
  const open: OpenPath = (path) => void openPath(router, backLayers, path);
  const shorten: ShortenAddress = (path) => shortenAddress(router, path);
  const router = createBrowserRouter([
    {
      element: (
        <BackLayersContext value={backLayers}>
          <OpenPathContext value={open}>
            <ShortenAddressContext value={shorten}>
              <ShownScreen layers={backLayers}>
                <RootLayout />
              </ShownScreen>
            </ShortenAddressContext>
          </OpenPathContext>
        </BackLayersContext>
      ),
      errorElement: <RootError />,
      HydrateFallback: RouteFallback,
      children: [{ errorElement: <RootError />, children: createRoutes(loadScreenTexts) }],
    },
  ]);
  trackHistory(router);
  const detachLayers = backLayers.attach(router);
  const dispose = (): void => {
    detachLayers();
    router.dispose();
  };
  return { router, openPath: open, dispose };
}

/** Tells the layers which screen is shown, after the effects of the screen. */
function ShownScreen({ layers, children }: { layers: RouterBackLayers; children: ReactNode }) {
  const { key } = useLocation();
  useEffect(() => layers.showScreen(key), [layers, key]);
  return children;
}

const SignOutFirst = lazy(async () => ({ default: await signOutFirst() }));

/** Shown while the code of the first screen is loading. */
function RouteFallback() {
  const { t } = useTranslation();
  const { pathname } = useLocation();
  return <Splash label={pathname === PATHS.privacy ? t('privacy.loading') : t('app.loading')} />;
}

/** Returns the routes. Screens wait for their code and texts. */
function createRoutes(loadScreenTexts: LoadScreenTexts) {
  const load = (screen: ScreenLoader, ...texts: ScreenTexts[]) =>
    lazyScreen(screen, () => loadScreenTexts(...texts));

  const guestRoutes = [
    { path: PATHS.login, element: <LoginPage loadNextScreen={signedInScreens.frame} /> },
    { path: PATHS.register, lazy: load(guestScreens.register) },
    { path: PATHS.verify, lazy: load(guestScreens.verify) },
    { path: PATHS.forgotPassword, lazy: load(guestScreens.forgotPassword, 'information') },
    { path: PATHS.deletedAccount, lazy: load(guestScreens.deletedAccount, 'information') },
  ];

  const userRoutes = [
    { path: PATHS.chats, lazy: load(signedInScreens.noChatOpen) },
    { path: PATHS.findUser, lazy: load(signedInScreens.findUser) },
    { path: PATHS.newChatroom, lazy: load(signedInScreens.newChatroom) },
    {
      path: PATHS.chatroom,
      lazy: load(signedInScreens.chatroom),
      // The chatroom shows the message itself, and stays when the address becomes its own again.
      children: [{ path: PATHS.message, element: null }],
    },
    { path: PATHS.gallery, lazy: load(signedInScreens.gallery) },
    {
      path: PATHS.settings,
      lazy: load(signedInScreens.settings, 'data', 'invitations', 'settings'),
    },
    { path: PATHS.profile, lazy: load(signedInScreens.profile) },
    { path: PATHS.about, lazy: load(signedInScreens.about, 'information') },
    { path: PATHS.share, lazy: load(signedInScreens.share, 'information', 'share') },
  ];

  return [
    { element: <GuestRoute />, children: guestRoutes },
    {
      // The key is for another account than the one that is signed in.
      element: (
        <GuestRoute
          forUsers={
            <Suspense fallback={<RouteFallback />}>
              <SignOutFirst />
            </Suspense>
          }
        />
      ),
      children: [{ path: PATHS.newPassword, lazy: load(guestScreens.newPassword) }],
    },
    {
      element: <ProtectedRoute />,
      children: [
        {
          lazy: load(signedInScreens.frame),
          // A failed screen does not affect the chat list beside it.
          children: [{ errorElement: <ScreenError />, children: userRoutes }],
        },
      ],
    },
    { path: PATHS.restoreEmail, lazy: load(publicScreens.restoreEmail, 'information') },
    { path: PATHS.invite, lazy: load(publicScreens.invite, 'invitations') },
    { path: PATHS.privacy, lazy: load(publicScreens.privacy, 'information') },
    { path: '*', lazy: load(publicScreens.notFound) },
  ];
}
