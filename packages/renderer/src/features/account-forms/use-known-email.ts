import { useLocation } from 'react-router-dom';

/** The email that was typed on the screen before, so that nobody types it twice. Empty if there is none. */
export function useKnownEmail(): string {
  const state: unknown = useLocation().state;
  return typeof state === 'object' &&
    state !== null &&
    'email' in state &&
    typeof state.email === 'string'
    ? state.email
    : '';
}
