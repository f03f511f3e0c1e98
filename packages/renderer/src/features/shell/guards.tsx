import { useEffect, useLayoutEffect } from 'react';
import { Navigate, Outlet, useLocation } from 'react-router-dom';
import { useSession } from '../../app/app-context.ts';
import { PATHS } from '../../routes/paths.ts';
import { signedInScreens, strangersScreens } from '../../routes/screens.ts';
import { forgetWanted, readWanted, rememberWanted } from '../../routes/wanted.ts';
import { CertificateBanner } from '../connection/CertificateBanner.tsx';
import { useLoadAhead } from './use-load-ahead.ts';

/** Screens that make no sense for a signed-in person: they are sent where they wanted to go. */
export function StrangersOnly() {
  const isSignedIn = useSession(({ user }) => user !== undefined);
  useLoadAhead(strangersScreens, !isSignedIn);
  if (isSignedIn) return <Navigate to={readWanted() ?? PATHS.chats} replace />;
  return (
    <>
      <CertificateBanner />
      <Outlet />
    </>
  );
}

/** Screens for signed-in persons: a stranger is sent to the login, and back here after it. */
export function SignedInOnly() {
  const isSignedIn = useSession(({ user }) => user !== undefined);
  const ended = useSession((state) => state.ended);
  useLoadAhead(signedInScreens, isSignedIn);
  useEffect(() => {
    if (isSignedIn) forgetWanted();
  }, [isSignedIn]);
  if (isSignedIn) return <Outlet />;
  if (ended === 'account-deleted') return <Navigate to={PATHS.deletedAccount} replace />;
  return <ToLogin isReturning={ended !== 'logout'} />;
}

function ToLogin({ isReturning }: { isReturning: boolean }) {
  const { pathname, search } = useLocation();
  // Before the navigation, which is an effect too: the login reads it.
  useLayoutEffect(() => {
    if (isReturning && pathname !== PATHS.chats) rememberWanted(pathname + search);
  }, [isReturning, pathname, search]);
  return <Navigate to={PATHS.login} replace />;
}
