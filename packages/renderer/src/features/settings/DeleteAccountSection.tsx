import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApi, useSessionStore } from '../../app/app-context.ts';
import { useFailureText } from '../../failures/use-failure-text.ts';
import { Button } from '../../ui/Button.tsx';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { toastError, toastSuccess } from '../../ui/show-toast.ts';
import { SettingRow, SettingsSection } from './SettingsSection.tsx';
import css from './Controls.module.css';

/** The section for deleting the account, which asks for a confirmation. */
export function DeleteAccountSection() {
  const { t } = useTranslation();
  const { withHelp } = useFailureText();
  const api = useApi();
  const session = useSessionStore();
  const [isConfirming, setIsConfirming] = useState(false);
  const [isBusy, setIsBusy] = useState(false);

  async function deleteAccount(): Promise<void> {
    const { setDeletingAccount, end } = session.getState();
    setIsBusy(true);
    setDeletingAccount(true);
    try {
      await api.call('deleteAccount');
      toastSuccess(t('settings.deleted'), { announcesNavigation: true });
      end('account-deleted');
    } catch (error) {
      setDeletingAccount(false);
      setIsBusy(false);
      setIsConfirming(false);
      toastError(await withHelp(t('settings.deleteFailed'), error));
    }
  }

  return (
    <SettingsSection title={t('settings.account')}>
      <SettingRow label={t('settings.delete')} help={t('settings.deleteHelp')}>
        <div className={css.state}>
          <Button variant="danger" onClick={() => setIsConfirming(true)}>
            {t('settings.delete')}
          </Button>
        </div>
      </SettingRow>
      <ConfirmDialog
        open={isConfirming}
        onOpenChange={setIsConfirming}
        title={t('settings.deleteTitle')}
        text={t('settings.deleteText')}
        confirmLabel={t('settings.deleteConfirm')}
        cancelLabel={t('settings.deleteCancel')}
        onConfirm={() => void deleteAccount()}
        danger
        isBusy={isBusy}
      />
    </SettingsSection>
  );
}
