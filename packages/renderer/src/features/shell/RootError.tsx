import { FullPageError } from './FullPageError.tsx';
import { useRouteErrorState } from './use-route-error-state.ts';

/** The full-page error for a failed screen outside the shell. */
export function RootError() {
  return <FullPageError {...useRouteErrorState()} />;
}
