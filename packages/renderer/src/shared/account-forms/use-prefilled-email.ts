import { useLocation } from 'react-router-dom';
import { useLinkParams } from './use-link-params.ts';

/**
 * The email that was typed on the screen before, or that came with a link, so that nobody types it
 * twice. Empty if there is none.
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
