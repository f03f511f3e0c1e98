import { Navigate, Outlet, useLocation } from 'react-router-dom';
import { PATHS } from '../../routes/paths.ts';
import { readWanted, rememberWanted } from '../../routes/wanted.ts';
import { useSession } from '../../stores/session.ts';

/** Screens that make no sense for a signed-in person: they are sent where they wanted to go. */
export function StrangersOnly() {
  const isSignedIn = useSession(({ user }) => user !== undefined);
  if (isSignedIn) return <Navigate to={readWanted() ?? PATHS.chats} replace />;
  return <Outlet />;
}

/** Screens for signed-in persons: a stranger is sent to the login, and back here after it. */
export function SignedInOnly() {
  const { user, ended } = useSession();
  const { pathname, search } = useLocation();
  if (user) return <Outlet />;
  if (ended === 'account-deleted') return <Navigate to={PATHS.deletedAccount} replace />;
  if (ended !== 'logout' && pathname !== PATHS.chats) rememberWanted(pathname + search);
  return <Navigate to={PATHS.login} replace />;
}
