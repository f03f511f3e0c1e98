import { ApiError } from '@parley/client';
import type { InvitationPreview } from '@parley/contract';
import { useEffect, useState } from 'react';
import { useApi } from '../../app/app-context.ts';

/** The longest code that the server accepts. */
const CODE_MAX = 64;

/** What is known about an invitation. */
export type InvitationState =
  | { status: 'loading' }
  | { status: 'failed'; error: unknown }
  /** Unknown, used, revoked or expired, or the inviter does not take new people. */
  | { status: 'invalid' }
  | ({ status: 'ready' } & InvitationPreview);

interface InvitationOfCode {
  invitation: InvitationState;
  retry: () => void;
  /** Records that the invitation turned out to be invalid. */
  invalidate: () => void;
}

/** Looks up the invitation with a code, which must not change. */
export function useInvitation(code: string): InvitationOfCode {
  const api = useApi();
  const [invitation, setInvitation] = useState<InvitationState>({ status: 'loading' });

  const load = async (): Promise<InvitationState> => {
    if (code === '' || code.length > CODE_MAX) return { status: 'invalid' };
    try {
      return { status: 'ready', ...(await api.call('previewInvitation', { body: { code } })) };
    } catch (error) {
      return isInvalid(error) ? { status: 'invalid' } : { status: 'failed', error };
    }
  };
  const [request, setRequest] = useState(load);

  useEffect(() => {
    let isCurrent = true;
    void request.then((loaded) => isCurrent && setInvitation(loaded));
    return () => {
      isCurrent = false;
    };
  }, [request]);

  return {
    invitation,
    retry: () => {
      setInvitation({ status: 'loading' });
      setRequest(load());
    },
    invalidate: () => setInvitation({ status: 'invalid' }),
  };
}

/** Returns whether a call failed because the invitation is not valid. Older servers respond with 404. */
export function isInvalid(error: unknown): boolean {
  return error instanceof ApiError && (error.code === 'invitation_invalid' || error.status === 404);
}
