import { FullPageError } from './FullPageError.tsx';
import { useRouteErrorState } from './use-route-error-state.ts';

/** Stands in for everything when a screen failed that has nothing around it. */
export function RootError() {
  return <FullPageError {...useRouteErrorState()} />;
}
