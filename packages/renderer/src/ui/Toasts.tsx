import { CircleAlert, CircleCheck, Info, X } from 'lucide-react';
import { useEffect, useLayoutEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { NavigationType, useLocation, useNavigationType } from 'react-router-dom';
import {
  cssTransition,
  toast,
  ToastContainer,
  type CloseButtonProps,
  type IconProps,
} from 'react-toastify/unstyled';
import { dismissToastsOnNavigation } from './show-toast.ts';

/** Custom property with the bottom edge of the screen's header in pixels. Toasts.css positions toasts below it. */
const HEADER_BOTTOM = '--header-bottom';

const motion = cssTransition({
  enter: 'toast-enters',
  exit: 'toast-leaves',
  collapseDuration: 160,
});

/** The container of the toasts. Render it once; toasts.ts shows the toasts. */
export function Toasts() {
  const { t } = useTranslation();
  useDismissOnNavigation();
  useHeaderBottom();
  return (
    <ToastContainer
      position="top-right"
      aria-label={t('ui.notifications')}
      newestOnTop
      hideProgressBar
      pauseOnFocusLoss
      draggable={false}
      transition={motion}
      icon={ToastIcon}
      closeButton={CloseButton}
    />
  );
}

// A layout effect runs before the effects of the new screen, so that it does not dismiss that screen's toasts.
function useDismissOnNavigation(): void {
  const { pathname } = useLocation();
  const isRedirect = useNavigationType() === NavigationType.Replace;
  const last = useRef(pathname);
  useLayoutEffect(() => {
    if (last.current === pathname) return;
    last.current = pathname;
    void dismissToastsOnNavigation(isRedirect);
  }, [pathname, isRedirect]);
}

// Long greetings and banners change the header's bottom edge.
function useHeaderBottom(): void {
  useEffect(() => {
    const measure = (): void => {
      const bottoms = Array.from(
        document.querySelectorAll('[data-screen-header]'),
        (header) => header.getBoundingClientRect().bottom,
      );
      document.documentElement.style.setProperty(HEADER_BOTTOM, `${Math.max(0, ...bottoms)}px`);
    };
    measure();
    window.addEventListener('resize', measure);
    const unsubscribe = toast.onChange(({ status }) => {
      if (status === 'added') measure();
    });
    return () => {
      window.removeEventListener('resize', measure);
      unsubscribe();
    };
  }, []);
}

function ToastIcon({ type }: IconProps) {
  if (type === 'success') return <CircleCheck aria-hidden="true" />;
  if (type === 'error') return <CircleAlert aria-hidden="true" />;
  return <Info aria-hidden="true" />;
}

function CloseButton({ closeToast }: CloseButtonProps) {
  const { t } = useTranslation();
  return (
    <button
      type="button"
      className="toast-close"
      aria-label={t('ui.close')}
      onClick={() => closeToast()}
    >
      <X aria-hidden="true" />
    </button>
  );
}
