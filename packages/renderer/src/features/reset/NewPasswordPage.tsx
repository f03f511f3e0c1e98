import { LIMITS, normalizeEmail, normalizeKey, readableEmail, UI } from '@parley/contract';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { useApi } from '../../app/app-context.ts';
import { PATHS } from '../../navigation/paths.ts';
import { AuthForm } from '../../shared/account-forms/AuthForm.tsx';
import { AuthFrame } from '../../shared/account-forms/AuthFrame.tsx';
import { EmailField } from '../../shared/account-forms/EmailField.tsx';
import {
  validateEmail,
  validateKey,
  validatePassword,
} from '../../shared/account-forms/field-validation.ts';
import { KeyField } from '../../shared/account-forms/KeyField.tsx';
import { usePrefilledEmail } from '../../shared/account-forms/use-prefilled-email.ts';
import { useLinkParams } from '../../shared/account-forms/use-link-params.ts';
import { useRedirect } from '../../shared/account-forms/use-redirect.ts';
import { useFailureText } from '../../failures/use-failure-text.ts';
import { useFocusOnNavigation } from '../../shared/screen/use-focus-on-navigation.ts';
import { PasswordField } from '../../ui/PasswordField.tsx';
import { toastError, toastSuccess } from '../../ui/show-toast.ts';
import { useForm } from '../../ui/use-form.ts';
import { resetErrorKey } from './reset-error-key.ts';

/** `/new-pw`: sets a new password with a reset key. */
export function NewPasswordPage() {
  const { t } = useTranslation();
  const api = useApi();
  const { isRedirecting, redirectTo } = useRedirect();
  const { explain } = useFailureText();
  const prefilledEmail = usePrefilledEmail();
  const { key: knownKey } = useLinkParams();
  const firstEmpty = useFocusOnNavigation<HTMLInputElement>();

  const form = useForm({
    initial: { email: prefilledEmail, key: knownKey, newPw: '' },
    validate: ({ email, key, newPw }) => ({
      email: validateEmail(t, email),
      key: validateKey(t, key, LIMITS.resetKeyLength),
      newPw: validatePassword(t, newPw),
    }),
    send: async ({ email, key, newPw }) => {
      const submittedAt = performance.now();
      try {
        await api.call('resetPassword', {
          body: { email: normalizeEmail(email), key: normalizeKey(key), newPw },
        });
        toastSuccess(t('newPassword.success'), { announcesNavigation: true });
        redirectTo(PATHS.login, { email: readableEmail(email) });
        return undefined;
      } catch (error) {
        await pause(UI.newPasswordErrorDelay - (performance.now() - submittedAt));
        const failure = resetErrorKey(error);
        toastError(t(`newPassword.${failure}`));
        return {
          form: await explain(error),
          email: failure === 'noUser' ? t('newPassword.noUser') : undefined,
          key: failure === 'keyWrong' ? t('newPassword.keyWrong') : undefined,
        };
      }
    },
  });

  return (
    <AuthFrame
      title={t('newPassword.title')}
      lead={t('newPassword.lead', { length: LIMITS.resetKeyLength })}
      links={
        <>
          <Link to={PATHS.login} state={{ email: form.values.email }}>
            {t('newPassword.toLogin')}
          </Link>
          <Link to={PATHS.forgotPassword} state={{ email: form.values.email }}>
            {t('newPassword.noKey')}
          </Link>
        </>
      }
    >
      <AuthForm form={form} submitLabel={t('newPassword.submit')} isDone={isRedirecting}>
        <EmailField
          {...form.field('email')}
          ref={prefilledEmail === '' ? firstEmpty : undefined}
          autoComplete="username"
        />
        <KeyField
          {...form.field('key')}
          ref={prefilledEmail === '' ? undefined : firstEmpty}
          label={t('newPassword.key')}
          autoCapitalize="none"
          spellCheck={false}
          length={LIMITS.resetKeyLength}
        />
        <PasswordField
          {...form.field('newPw')}
          label={t('newPassword.password')}
          autoComplete="new-password"
          required
          help={t('register.passwordHelp', { min: LIMITS.passwordMin })}
        />
      </AuthForm>
    </AuthFrame>
  );
}

/** Resolves after `ms` milliseconds, or immediately if it is not positive. */
function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, Math.max(0, ms));
  });
}
