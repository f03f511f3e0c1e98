import { CircleAlert, CircleCheck, Info, X } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { ToastContainer, type CloseButtonProps, type IconProps } from 'react-toastify/unstyled';

/** Where toasts appear. Once in the tree; toasts.ts shows them. */
export function Toasts() {
  const { t } = useTranslation();
  return (
    <ToastContainer
      position="top-right"
      aria-label={t('ui.notifications')}
      newestOnTop
      hideProgressBar
      pauseOnFocusLoss
      draggable={false}
      icon={ToastIcon}
      closeButton={CloseButton}
    />
  );
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
