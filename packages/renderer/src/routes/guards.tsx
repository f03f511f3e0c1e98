import { useEffect, useLayoutEffect, type ReactNode } from 'react';
import { Navigate, Outlet, useLocation } from 'react-router-dom';
import { useSession } from '../app/app-context.ts';
import { CertificateBanner } from '../features/connection/CertificateBanner.tsx';
import { StartError } from '../features/frame/StartError.tsx';
import { useHost, useUnknownUser, type UnknownUser } from '../host/host-context.ts';
import { useLoadScreenTexts } from '../i18n/use-language.ts';
import { isStaticPath, PATHS } from '../navigation/paths.ts';
import { clearReturnTo, readReturnTo, saveReturnTo } from '../navigation/return-to.ts';
import { guestScreens, lazyParts, preloadScreens, signedInScreens } from './screens.ts';

/** Milliseconds before preloading, so that it does not compete with the current screen for the network. */
const PRELOAD_DELAY = 1_500;

/** What a guest opens next: the screen after the login, or one of those for guests. */
const { frame, noChatOpen } = signedInScreens;
const nextScreens = { frame, noChatOpen, ...guestScreens };

/** What a user opens next. */
const userScreens = { ...lazyParts, ...signedInScreens };

interface GuestRouteProps {
  /** What signed-in users see. By default, they are redirected to the return path or the chats. */
  forUsers?: ReactNode;
}

/** Wraps the screens for guests. */
export function GuestRoute({ forUsers }: GuestRouteProps) {
  const isSignedIn = useSession(({ user }) => user !== undefined);
  usePreloadScreens(nextScreens, !isSignedIn);
  if (isSignedIn && forUsers !== undefined) return forUsers;
  if (isSignedIn) return <Navigate to={readReturnTo() ?? PATHS.chats} replace />;
  return (
    <>
      <CertificateBanner />
      <Outlet />
    </>
  );
}

/**
 * Wraps the screens for signed-in users. Redirects guests to the login, which returns here afterwards. While the server
 * cannot tell who is signed in, it shows only static screens.
 */
export function ProtectedRoute() {
  const isSignedIn = useSession(({ user }) => user !== undefined);
  const endReason = useSession((state) => state.endReason);
  usePreloadScreens(userScreens, isSignedIn);
  useEffect(() => {
    if (isSignedIn) clearReturnTo();
  }, [isSignedIn]);
  const unknownUser = useUnknownUser();
  const { pathname } = useLocation();
  if (isSignedIn || (unknownUser && isStaticPath(pathname))) return <Outlet />;
  if (unknownUser && endReason === undefined) return <UnknownUserError {...unknownUser} />;
  if (endReason === 'account-deleted') return <Navigate to={PATHS.deletedAccount} replace />;
  return <LoginRedirect shouldReturn={endReason !== 'logout'} />;
}

/** The error of a start whose user is not known, after the user has left a static screen. Tries once by itself. */
function UnknownUserError({ error, retry }: UnknownUser) {
  const { reviewCertificate } = useHost();
  useEffect(retry, [retry]);
  return <StartError error={error} onRetry={retry} onReviewCertificate={reviewCertificate} />;
}

function LoginRedirect({ shouldReturn }: { shouldReturn: boolean }) {
  const { pathname, search } = useLocation();
  // A layout effect runs before the navigation, so that the login page can read the path.
  useLayoutEffect(() => {
    if (shouldReturn && pathname !== PATHS.chats) saveReturnTo(pathname + search);
  }, [shouldReturn, pathname, search]);
  return <Navigate to={PATHS.login} replace />;
}

/** Preloads screens and their texts a moment after the current one. */
function usePreloadScreens(
  screens: Record<string, () => Promise<unknown>>,
  isEnabled: boolean,
): void {
  const loadScreenTexts = useLoadScreenTexts();
  useEffect(() => {
    if (!isEnabled) return undefined;
    const loadTexts = () =>
      loadScreenTexts('data', 'information', 'invitations', 'settings', 'share');
    const timer = setTimeout(() => void preloadScreens(screens, loadTexts), PRELOAD_DELAY);
    return () => clearTimeout(timer);
  }, [screens, isEnabled, loadScreenTexts]);
}
