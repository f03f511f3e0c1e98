import { createBrowserRouter } from 'react-router-dom';
import { LoginPage } from '../features/login/LoginPage.tsx';
import { RootError } from '../features/shell/RootError.tsx';
import { ProtectedRoute, GuestRoute } from '../features/shell/guards.tsx';
import { RootLayout } from '../features/shell/RootLayout.tsx';
import { ScreenError } from '../features/shell/ScreenError.tsx';
import { RouteFallback } from '../features/shell/RouteFallback.tsx';
import { trackHistory } from './history-trail.ts';
import { PATHS } from './paths.ts';
import { lazyScreen, publicScreens, signedInScreens, guestScreens } from './screens.ts';

/** Creates the router. Only the login page is part of the first load. */
export function createRouter(): ReturnType<typeof createBrowserRouter> {
  const router = createBrowserRouter([
    {
      element: <RootLayout />,
      errorElement: <RootError />,
      HydrateFallback: RouteFallback,
      children: [{ errorElement: <RootError />, children: routes }],
    },
  ]);
  trackHistory(router);
  return router;
}

const guestRoutes = [
  { path: PATHS.login, element: <LoginPage /> },
  { path: PATHS.register, lazy: lazyScreen(guestScreens.register) },
  { path: PATHS.verify, lazy: lazyScreen(guestScreens.verify) },
  { path: PATHS.forgotPassword, lazy: lazyScreen(guestScreens.forgotPassword) },
  { path: PATHS.newPassword, lazy: lazyScreen(guestScreens.newPassword) },
  { path: PATHS.deletedAccount, lazy: lazyScreen(guestScreens.deletedAccount) },
];

const userRoutes = [
  { path: PATHS.chats, lazy: lazyScreen(signedInScreens.noChatOpen) },
  { path: PATHS.findUser, lazy: lazyScreen(signedInScreens.findUser) },
  { path: PATHS.newChatroom, lazy: lazyScreen(signedInScreens.newChatroom) },
  { path: PATHS.chatroom, lazy: lazyScreen(signedInScreens.chatroom) },
  { path: PATHS.settings, lazy: lazyScreen(signedInScreens.settings) },
  { path: PATHS.profile, lazy: lazyScreen(signedInScreens.profile) },
  { path: PATHS.about, lazy: lazyScreen(signedInScreens.about) },
];

const routes = [
  { element: <GuestRoute />, children: guestRoutes },
  {
    element: <ProtectedRoute />,
    children: [
      {
        lazy: lazyScreen(signedInScreens.shell),
        // A failed screen does not affect the chat list beside it.
        children: [{ errorElement: <ScreenError />, children: userRoutes }],
      },
    ],
  },
  { path: PATHS.privacy, lazy: lazyScreen(publicScreens.privacy) },
  { path: '*', lazy: lazyScreen(publicScreens.notFound) },
];
