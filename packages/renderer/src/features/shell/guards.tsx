import { useEffect, useLayoutEffect } from 'react';
import { Navigate, Outlet, useLocation } from 'react-router-dom';
import { useSession } from '../../app/app-context.ts';
import { PATHS } from '../../routes/paths.ts';
import { signedInScreens, guestScreens } from '../../routes/screens.ts';
import { clearReturnTo, readReturnTo, saveReturnTo } from '../../routes/return-to.ts';
import { CertificateBanner } from '../connection/CertificateBanner.tsx';
import { usePreloadScreens } from './use-preload-screens.ts';

/** Screens that make no sense for a signed-in person: they are sent where they wanted to go. */
export function GuestRoute() {
  const isSignedIn = useSession(({ user }) => user !== undefined);
  usePreloadScreens(guestScreens, !isSignedIn);
  if (isSignedIn) return <Navigate to={readReturnTo() ?? PATHS.chats} replace />;
  return (
    <>
      <CertificateBanner />
      <Outlet />
    </>
  );
}

/** Screens for signed-in persons: a stranger is sent to the login, and back here after it. */
export function ProtectedRoute() {
  const isSignedIn = useSession(({ user }) => user !== undefined);
  const ended = useSession((state) => state.ended);
  usePreloadScreens(signedInScreens, isSignedIn);
  useEffect(() => {
    if (isSignedIn) clearReturnTo();
  }, [isSignedIn]);
  if (isSignedIn) return <Outlet />;
  if (ended === 'account-deleted') return <Navigate to={PATHS.deletedAccount} replace />;
  return <LoginRedirect isReturning={ended !== 'logout'} />;
}

function LoginRedirect({ isReturning }: { isReturning: boolean }) {
  const { pathname, search } = useLocation();
  // Before the navigation, which is an effect too: the login reads it.
  useLayoutEffect(() => {
    if (isReturning && pathname !== PATHS.chats) saveReturnTo(pathname + search);
  }, [isReturning, pathname, search]);
  return <Navigate to={PATHS.login} replace />;
}
