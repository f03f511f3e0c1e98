import { useLocation } from 'react-router-dom';
import { useLinkParams } from './use-link-params.ts';

/**
 * Returns the email address that was entered on the previous screen or is part of the link. Empty if there is
 * none.
 */
export function usePrefilledEmail(): string {
  const { email } = useLinkParams();
  const state: unknown = useLocation().state;
  return typeof state === 'object' &&
    state !== null &&
    'email' in state &&
    typeof state.email === 'string'
    ? state.email
    : email;
}
