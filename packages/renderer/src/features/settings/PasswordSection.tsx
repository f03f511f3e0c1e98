import { ApiError } from '@parley/client';
import { LIMITS } from '@parley/contract';
import { Eye, EyeOff } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApi, useUser } from '../../app/app-context.ts';
import { validatePassword } from '../../shared/account-forms/field-validation.ts';
import { useFailureText } from '../../failures/use-failure-text.ts';
import { Button } from '../../ui/Button.tsx';
import { PasswordField } from '../../ui/PasswordField.tsx';
import { toastError, toastSuccess } from '../../ui/show-toast.ts';
import { useForm } from '../../ui/use-form.ts';
import css from './PasswordSection.module.css';
import { SettingsSection } from './SettingsSection.tsx';

/** The form that changes the password. One toggle shows or hides both passwords. */
export function PasswordSection() {
  const { t } = useTranslation();
  const { withHelp } = useFailureText();
  const api = useApi();
  const { usermail } = useUser();
  const [isShown, setIsShown] = useState(false);

  const form = useForm({
    initial: { oldPassword: '', newPassword: '' },
    validate: ({ oldPassword, newPassword }) => ({
      oldPassword: validatePassword(t, oldPassword),
      newPassword: validatePassword(t, newPassword),
    }),
    send: async (values) => {
      try {
        await api.call('changePassword', { body: values });
        form.reset();
        toastSuccess(t('settings.updated'));
        return undefined;
      } catch (error) {
        form.reset();
        toastError(await withHelp(t('settings.failed'), error));
        const isWrong = error instanceof ApiError && error.code === 'wrong_password';
        return isWrong ? { oldPassword: t('settings.passwordWrong') } : undefined;
      }
    },
  });

  return (
    <SettingsSection title={t('settings.password')} help={t('settings.passwordHelp')}>
      <form className={css.form} noValidate onSubmit={form.submit}>
        {/* Password managers read the account that the password belongs to from this field. */}
        <input type="text" name="email" autoComplete="username" value={usermail} readOnly hidden />
        <PasswordField
          {...form.field('oldPassword')}
          label={t('settings.currentPassword')}
          autoComplete="current-password"
          isShown={isShown}
          required
        />
        <PasswordField
          {...form.field('newPassword')}
          label={t('settings.newPassword')}
          autoComplete="new-password"
          isShown={isShown}
          required
          help={t('register.passwordHelp', { min: LIMITS.passwordMin })}
        />
        <div className={css.buttons}>
          <Button
            variant="ghost"
            aria-pressed={isShown}
            icon={isShown ? <EyeOff /> : <Eye />}
            onClick={() => setIsShown(!isShown)}
          >
            {t('settings.showPasswords')}
          </Button>
          <Button type="submit" variant="secondary" isBusy={form.isBusy}>
            {t('settings.changePassword')}
          </Button>
        </div>
      </form>
    </SettingsSection>
  );
}
