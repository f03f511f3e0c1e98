import { useEffect, useLayoutEffect } from 'react';
import { Navigate, Outlet, useLocation } from 'react-router-dom';
import { useSession } from '../../app/app-context.ts';
import { PATHS } from '../../routes/paths.ts';
import { signedInScreens, guestScreens } from '../../routes/screens.ts';
import { clearReturnTo, readReturnTo, saveReturnTo } from '../../routes/return-to.ts';
import { CertificateBanner } from '../connection/CertificateBanner.tsx';
import { usePreloadScreens } from './use-preload-screens.ts';

/** What a guest opens next: the screen after the login, or one of those for guests. */
const { shell, noChatOpen } = signedInScreens;
const nextScreens = { shell, noChatOpen, ...guestScreens };

/** Wraps the screens for guests. Redirects signed-in users to the return path or the chats. */
export function GuestRoute() {
  const isSignedIn = useSession(({ user }) => user !== undefined);
  usePreloadScreens(nextScreens, !isSignedIn);
  if (isSignedIn) return <Navigate to={readReturnTo() ?? PATHS.chats} replace />;
  return (
    <>
      <CertificateBanner />
      <Outlet />
    </>
  );
}

/** Wraps the screens for signed-in users. Redirects guests to the login, which returns here afterwards. */
export function ProtectedRoute() {
  const isSignedIn = useSession(({ user }) => user !== undefined);
  const endReason = useSession((state) => state.endReason);
  usePreloadScreens(signedInScreens, isSignedIn);
  useEffect(() => {
    if (isSignedIn) clearReturnTo();
  }, [isSignedIn]);
  if (isSignedIn) return <Outlet />;
  if (endReason === 'account-deleted') return <Navigate to={PATHS.deletedAccount} replace />;
  return <LoginRedirect shouldReturn={endReason !== 'logout'} />;
}

function LoginRedirect({ shouldReturn }: { shouldReturn: boolean }) {
  const { pathname, search } = useLocation();
  // A layout effect runs before the navigation, so that the login page can read the path.
  useLayoutEffect(() => {
    if (shouldReturn && pathname !== PATHS.chats) saveReturnTo(pathname + search);
  }, [shouldReturn, pathname, search]);
  return <Navigate to={PATHS.login} replace />;
}
