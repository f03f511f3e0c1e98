import { createBrowserRouter, type RouteObject } from 'react-router-dom';
import { LoginPage } from '../features/login/LoginPage.tsx';
import { Crashed } from '../features/shell/Crashed.tsx';
import { SignedInOnly, StrangersOnly } from '../features/shell/guards.tsx';
import { RootLayout } from '../features/shell/RootLayout.tsx';
import { Waiting } from '../features/shell/Waiting.tsx';
import { PATHS } from './paths.ts';
import { loadSignedInScreens } from './signed-in-screens.ts';

/** The route table. Only the login is in the first load; every other screen is fetched when it is wanted. */
export function createRouter(): ReturnType<typeof createBrowserRouter> {
  return createBrowserRouter([
    {
      element: <RootLayout />,
      errorElement: <Crashed />,
      HydrateFallback: Waiting,
      children: [
        { element: <StrangersOnly />, children: strangersScreens },
        { element: <SignedInOnly />, children: [signedInScreens] },
        {
          path: PATHS.privacy,
          lazy: async () => {
            const { PrivacyPage } = await import('../features/privacy/PrivacyPage.tsx');
            return { Component: PrivacyPage };
          },
        },
        {
          path: '*',
          lazy: async () => {
            const { NotFoundPage } = await import('../features/not-found/NotFoundPage.tsx');
            return { Component: NotFoundPage };
          },
        },
      ],
    },
  ]);
}

const strangersScreens: RouteObject[] = [
  { path: PATHS.login, element: <LoginPage /> },
  {
    path: PATHS.register,
    lazy: async () => {
      const { RegisterPage } = await import('../features/register/RegisterPage.tsx');
      return { Component: RegisterPage };
    },
  },
  {
    path: PATHS.verify,
    lazy: async () => {
      const { VerifyPage } = await import('../features/verify/VerifyPage.tsx');
      return { Component: VerifyPage };
    },
  },
  {
    path: PATHS.forgotPassword,
    lazy: async () => {
      const { ForgotPasswordPage } = await import('../features/reset/ForgotPasswordPage.tsx');
      return { Component: ForgotPasswordPage };
    },
  },
  {
    path: PATHS.newPassword,
    lazy: async () => {
      const { NewPasswordPage } = await import('../features/reset/NewPasswordPage.tsx');
      return { Component: NewPasswordPage };
    },
  },
  {
    path: PATHS.deletedAccount,
    lazy: async () => {
      const { DeletedAccountPage } = await import('../features/shell/DeletedAccountPage.tsx');
      return { Component: DeletedAccountPage };
    },
  },
];

const signedInScreens: RouteObject = {
  lazy: async () => {
    const { SignedInShell } = await loadSignedInScreens();
    return { Component: SignedInShell };
  },
  children: [
    {
      path: PATHS.chats,
      lazy: async () => {
        const { NoChatOpen } = await import('../features/shell/NoChatOpen.tsx');
        return { Component: NoChatOpen };
      },
    },
    {
      path: PATHS.findUser,
      lazy: async () => {
        const { FindUserPage } = await import('../features/find-user/FindUserPage.tsx');
        return { Component: FindUserPage };
      },
    },
    {
      path: `${PATHS.chats}/chats/new-chatroom/:username`,
      lazy: async () => {
        const { NewChatroomPage } = await import('../features/new-chatroom/NewChatroomPage.tsx');
        return { Component: NewChatroomPage };
      },
    },
    {
      path: `${PATHS.chats}/chats/:id`,
      lazy: async () => {
        const { ChatroomPage } = await import('../features/chatroom/ChatroomPage.tsx');
        return { Component: ChatroomPage };
      },
    },
    {
      path: PATHS.settings,
      lazy: async () => {
        const { SettingsPage } = await import('../features/settings/SettingsPage.tsx');
        return { Component: SettingsPage };
      },
    },
    {
      path: PATHS.profile,
      lazy: async () => {
        const { ProfilePage } = await import('../features/profile/ProfilePage.tsx');
        return { Component: ProfilePage };
      },
    },
    {
      path: PATHS.about,
      lazy: async () => {
        const { AboutPage } = await import('../features/about/AboutPage.tsx');
        return { Component: AboutPage };
      },
    },
  ],
};
