import { FullPageProblem } from './FullPageProblem.tsx';
import { useRouteProblem } from './use-route-problem.ts';

/** Stands in for everything when a screen failed that has nothing around it. */
export function Crashed() {
  return <FullPageProblem {...useRouteProblem()} />;
}
