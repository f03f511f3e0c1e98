import { useEffect, useState } from 'react';

/** Returns the current date. It updates after midnight, so that "today" becomes "yesterday". */
export function useToday(): Date {
  const [today, setToday] = useState(() => new Date());
  useEffect(() => {
    const midnight = new Date(today.getFullYear(), today.getMonth(), today.getDate() + 1);
    // One second late, as timers may run ahead of the clock.
    const timer = setTimeout(() => setToday(new Date()), midnight.getTime() - Date.now() + 1_000);
    return () => clearTimeout(timer);
  }, [today]);
  return today;
}
