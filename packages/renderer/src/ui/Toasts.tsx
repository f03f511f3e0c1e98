import { CircleAlert, CircleCheck, Info, X } from 'lucide-react';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { NavigationType, useNavigationType } from 'react-router-dom';
import {
  cssTransition,
  toast,
  ToastContainer,
  type CloseButtonProps,
  type IconProps,
} from 'react-toastify/unstyled';
import { dismissToastsOnNavigation, setDefaultPosition } from './show-toast.ts';

/** Custom property with the bottom edge of the screen's header in pixels. Toasts.css positions toasts below it. */
const HEADER_BOTTOM = '--header-bottom';

const motion = cssTransition({
  enter: 'toast-enters',
  exit: 'toast-leaves',
  collapseDuration: 160,
});

/** The props of `Toasts`. */
export interface ToastsProps {
  /** Whether toasts appear in the half of the window that is not in use, as each change of a setting shows one. */
  keepsClear: boolean;
  /** Whether the chat list is the screen. In narrow windows, toasts end above its rows and its floating button. */
  isChatList: boolean;
  /** Whether notifications are offered above the chat list. Toasts appear below the offer. */
  hasOffer: boolean;
  /** Path of the screen. The toasts of the previous screen are dismissed when it changes. */
  screen: string;
}

/** The container of the toasts. Render it once; toasts.ts shows the toasts. */
export function Toasts({ keepsClear, isChatList, hasOffer, screen }: ToastsProps) {
  const { t } = useTranslation();
  useDismissOnNavigation(screen);
  useHeaderBottom(screen, hasOffer);
  const isUpperHalfInUse = useIsUpperHalfInUse();
  const position = keepsClear && isUpperHalfInUse ? 'bottom-center' : 'top-right';
  useEffect(() => setDefaultPosition(position), [position]);
  return (
    <ToastContainer
      aria-label={t('ui.notifications')}
      className={isChatList ? 'above-chats' : ''}
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
function useDismissOnNavigation(screen: string): void {
  const isRedirect = useNavigationType() === NavigationType.Replace;
  const last = useRef(screen);
  useLayoutEffect(() => {
    if (last.current === screen) return;
    last.current = screen;
    void dismissToastsOnNavigation(isRedirect);
  }, [screen, isRedirect]);
}

// Long greetings and banners change the header's bottom edge.
function useHeaderBottom(screen: string, hasOffer: boolean): void {
  useEffect(() => {
    measureHeader();
    window.addEventListener('resize', measureHeader);
    const unsubscribe = toast.onChange(({ status }) => {
      if (status === 'added') measureHeader();
    });
    return () => {
      window.removeEventListener('resize', measureHeader);
      unsubscribe();
    };
  }, []);
  // A toast may stay when the screen changes, or be there before the offer.
  useEffect(measureHeader, [screen, hasOffer]);
}

function measureHeader(): void {
  const bottoms = Array.from(
    document.querySelectorAll('[data-screen-header]'),
    (header) => header.getBoundingClientRect().bottom,
  );
  document.documentElement.style.setProperty(HEADER_BOTTOM, `${Math.max(0, ...bottoms)}px`);
}

/** Returns whether the element that was touched, clicked or focused last is in the upper half of the window. */
function useIsUpperHalfInUse(): boolean {
  const [isUpper, setIsUpper] = useState(true);
  useEffect(() => {
    const update = ({ target }: Event): void => {
      if (!(target instanceof Element)) return;
      const { top, bottom } = target.getBoundingClientRect();
      setIsUpper(top + bottom < window.innerHeight);
    };
    document.addEventListener('pointerdown', update);
    document.addEventListener('focusin', update);
    return () => {
      document.removeEventListener('pointerdown', update);
      document.removeEventListener('focusin', update);
    };
  }, []);
  return isUpper;
}

function ToastIcon({ type }: IconProps) {
  if (type === 'success') return <CircleCheck />;
  if (type === 'error') return <CircleAlert />;
  return <Info />;
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
      <X />
    </button>
  );
}
