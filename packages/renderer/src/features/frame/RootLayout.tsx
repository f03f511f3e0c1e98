import 'react-toastify/ReactToastify.css';
import '../../ui/Toasts.css';
import { useEffect, useState, type ReactNode } from 'react';
import { matchPath, Outlet, useLocation } from 'react-router-dom';
import { useSettings } from '../../app/app-context.ts';
import { PATHS, screenPath } from '../../navigation/paths.ts';
import type { ToastsProps } from '../../ui/Toasts.tsx';

/** Milliseconds before the toasts are loaded again after a failure. */
const RETRY_DELAY = 3_000;

type RenderToasts = (props: ToastsProps) => ReactNode;

/** The layout of all screens. */
export function RootLayout() {
  const renderToasts = useToasts();
  const { pathname } = useLocation();
  const hasOffer = useSettings((settings) => settings.notificationOffer === 'due');
  return (
    <>
      <Outlet />
      {renderToasts?.({
        keepsClear: pathname === PATHS.settings,
        isChatList: matchPath(PATHS.chats, pathname) !== null,
        hasOffer,
        screen: screenPath(pathname),
      })}
    </>
  );
}

// Loads the toasts after the first screen, and retries if that fails. The screens work without toasts.
function useToasts(): RenderToasts | undefined {
  const [renderToasts, setRenderToasts] = useState<RenderToasts>();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isCancelled = false;
    const load = async (): Promise<void> => {
      try {
        const { Toasts } = await import('../../ui/Toasts.tsx');
        if (!isCancelled) setRenderToasts(() => (props: ToastsProps) => <Toasts {...props} />);
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
  return renderToasts;
}
