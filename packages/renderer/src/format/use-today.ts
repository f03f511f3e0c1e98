import { useEffect, useState } from 'react';

/** The present day, as a moment of it; a new one after midnight, so that «today» becomes «yesterday» by itself. */
export function useToday(): Date {
  const [today, setToday] = useState(() => new Date());
  useEffect(() => {
    const midnight = new Date(today.getFullYear(), today.getMonth(), today.getDate() + 1);
    // A second late rather than early: timers may run ahead of the clock.
    const timer = setTimeout(() => setToday(new Date()), midnight.getTime() - Date.now() + 1_000);
    return () => clearTimeout(timer);
  }, [today]);
  return today;
}
