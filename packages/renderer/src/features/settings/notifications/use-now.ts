import { useSyncExternalStore } from 'react';

const STEP_MS = 10_000;

/** Returns the time in milliseconds since 1970, which advances in steps of ten seconds. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, currentStep);
}

function subscribe(onChange: () => void): () => void {
  const timer = setInterval(onChange, STEP_MS);
  return () => clearInterval(timer);
}

function currentStep(): number {
  return Math.floor(Date.now() / STEP_MS) * STEP_MS;
}
