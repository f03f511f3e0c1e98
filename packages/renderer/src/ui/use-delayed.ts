import { useEffect, useState } from 'react';

/** Returns true once `isActive` has been true for `delay` milliseconds, and false as soon as it is false. */
export function useDelayed(isActive: boolean, delay: number): boolean {
  const [hasElapsed, setHasElapsed] = useState(false);
  useEffect(() => {
    if (!isActive) return undefined;
    const timer = setTimeout(() => setHasElapsed(true), delay);
    return () => {
      clearTimeout(timer);
      setHasElapsed(false);
    };
  }, [isActive, delay]);
  return isActive && hasElapsed;
}
