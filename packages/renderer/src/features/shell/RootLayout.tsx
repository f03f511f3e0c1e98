import 'react-toastify/ReactToastify.css';
import '../../ui/Toasts.css';
import { useEffect, useState, type ReactNode } from 'react';
import { Outlet } from 'react-router-dom';

/** How long until the toasts are fetched again, in milliseconds. */
const RETRY_DELAY = 3_000;

/** What is on every screen. */
export function RootLayout() {
  const toasts = useToasts();
  return (
    <>
      <Outlet />
      {toasts}
    </>
  );
}

// Fetched after the first screen. Without a connection the screens go on, and the toasts come later.
function useToasts(): ReactNode {
  const [toasts, setToasts] = useState<ReactNode>();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isCancelled = false;
    const load = async (): Promise<void> => {
      try {
        const { Toasts } = await import('../../ui/Toasts.tsx');
        if (!isCancelled) setToasts(<Toasts />);
      } catch {
        if (!isCancelled) timer = setTimeout(() => void load(), RETRY_DELAY);
      }
    };
    void load();
    return () => {
      isCancelled = true;
      clearTimeout(timer);
    };
  }, []);
  return toasts;
}
