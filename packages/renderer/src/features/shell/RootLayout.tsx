import 'react-toastify/ReactToastify.css';
import '../../ui/Toasts.css';
import { useEffect, useState, type ReactNode } from 'react';
import { Outlet } from 'react-router-dom';

/** Milliseconds before the toasts are loaded again after a failure. */
const RETRY_DELAY = 3_000;

/** The layout of all screens. */
export function RootLayout() {
  const toasts = useToasts();
  return (
    <>
      <Outlet />
      {toasts}
    </>
  );
}

// Loads the toasts after the first screen, and retries if that fails. The screens work without toasts.
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
