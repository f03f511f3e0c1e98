import { useEffect, useState } from 'react';
import { useLocation } from 'react-router-dom';
import { useApi } from '../../app/app-context.ts';
import { usePublicConfig } from '../../host/host-context.ts';
import { useLinkParams } from '../../shared/account-forms/use-link-params.ts';

/**
 * Returns the name of the user whose invitation the page's link contains. Undefined if it is unknown, and for an
 * invitation of the operator.
 */
export function useInviter(): string | undefined {
  const api = useApi();
  const { userInvitations = false } = usePublicConfig();
  const { invitation: code } = useLinkParams();
  const known = getKnownInviter(useLocation().state);
  const [found, setFound] = useState<{ code: string; name: string }>();

  // The link may lead here directly, without the page that shows the invitation.
  const isUnknown = known === undefined && userInvitations && code !== '';
  useEffect(() => {
    if (!isUnknown) return undefined;
    let isCurrent = true;
    api.call('previewInvitation', { body: { code } }).then(
      ({ username: name }) => isCurrent && setFound({ code, name }),
      // If the invitation is not valid, the registration says so or ignores it.
      () => undefined,
    );
    return () => {
      isCurrent = false;
    };
  }, [api, code, isUnknown]);

  return known ?? (found?.code === code ? found.name : undefined);
}

/** Returns the name that the page of the invitation has passed on. */
function getKnownInviter(state: unknown): string | undefined {
  return typeof state === 'object' && state !== null && 'inviter' in state
    ? String(state.inviter)
    : undefined;
}
