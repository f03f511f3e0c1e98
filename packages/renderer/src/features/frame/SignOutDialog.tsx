import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import type { SignOut } from './use-sign-out.ts';

/** Asks whether to log out although unsent messages would be deleted. */
export function SignOutDialog({
  isConfirming,
  setIsConfirming,
  warning,
  confirmSignOut,
}: Pick<SignOut, 'isConfirming' | 'setIsConfirming' | 'warning' | 'confirmSignOut'>) {
  const { t } = useTranslation();
  const isOffline = warning === 'offline';
  return (
    <ConfirmDialog
      open={isConfirming}
      onOpenChange={setIsConfirming}
      title={isOffline ? t('frame.logoutOffline') : t('frame.logoutUnsent')}
      text={isOffline ? t('frame.logoutOfflineText') : t('frame.logoutUnsentText')}
      confirmLabel={t('frame.logout')}
      cancelLabel={t('app.cancel')}
      onConfirm={confirmSignOut}
      danger
    />
  );
}
