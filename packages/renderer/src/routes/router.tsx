import { createBrowserRouter } from 'react-router-dom';
import { LoginPage } from '../features/login/LoginPage.tsx';
import { Crashed } from '../features/shell/Crashed.tsx';
import { SignedInOnly, StrangersOnly } from '../features/shell/guards.tsx';
import { RootLayout } from '../features/shell/RootLayout.tsx';
import { ScreenFailed } from '../features/shell/ScreenFailed.tsx';
import { Waiting } from '../features/shell/Waiting.tsx';
import { watchHistoryTrail } from './history-trail.ts';
import { PATHS } from './paths.ts';
import { lazyScreen, openScreens, signedInScreens, strangersScreens } from './screens.ts';

/** The route table. Only the login is in the first load; every other screen comes later. */
export function createRouter(): ReturnType<typeof createBrowserRouter> {
  const router = createBrowserRouter([
    {
      element: <RootLayout />,
      errorElement: <Crashed />,
      HydrateFallback: Waiting,
      children: [{ errorElement: <Crashed />, children: screens }],
    },
  ]);
  watchHistoryTrail(router);
  return router;
}

const strangers = [
  { path: PATHS.login, element: <LoginPage /> },
  { path: PATHS.register, lazy: lazyScreen(strangersScreens.register) },
  { path: PATHS.verify, lazy: lazyScreen(strangersScreens.verify) },
  { path: PATHS.forgotPassword, lazy: lazyScreen(strangersScreens.forgotPassword) },
  { path: PATHS.newPassword, lazy: lazyScreen(strangersScreens.newPassword) },
  { path: PATHS.deletedAccount, lazy: lazyScreen(strangersScreens.deletedAccount) },
];

const signedIn = [
  { path: PATHS.chats, lazy: lazyScreen(signedInScreens.noChatOpen) },
  { path: PATHS.findUser, lazy: lazyScreen(signedInScreens.findUser) },
  { path: PATHS.newChatroom, lazy: lazyScreen(signedInScreens.newChatroom) },
  { path: PATHS.chatroom, lazy: lazyScreen(signedInScreens.chatroom) },
  { path: PATHS.settings, lazy: lazyScreen(signedInScreens.settings) },
  { path: PATHS.profile, lazy: lazyScreen(signedInScreens.profile) },
  { path: PATHS.about, lazy: lazyScreen(signedInScreens.about) },
];

const screens = [
  { element: <StrangersOnly />, children: strangers },
  {
    element: <SignedInOnly />,
    children: [
      {
        lazy: lazyScreen(signedInScreens.shell),
        // The chats beside a screen that fails stay.
        children: [{ errorElement: <ScreenFailed />, children: signedIn }],
      },
    ],
  },
  { path: PATHS.privacy, lazy: lazyScreen(openScreens.privacy) },
  { path: '*', lazy: lazyScreen(openScreens.notFound) },
];
