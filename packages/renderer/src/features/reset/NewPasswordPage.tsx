import { setNewPassword } from '@parley/client';
import { LIMITS, normalizeEmail, UI } from '@parley/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { useApi } from '../../app/app-context.ts';
import { PATHS } from '../../routes/paths.ts';
import { AuthForm } from '../../shared/account-forms/AuthForm.tsx';
import { AuthFrame } from '../../shared/account-forms/AuthFrame.tsx';
import { EmailField } from '../../shared/account-forms/EmailField.tsx';
import {
  emailProblem,
  keyProblem,
  passwordProblem,
} from '../../shared/account-forms/field-checks.ts';
import { KeyField } from '../../shared/account-forms/KeyField.tsx';
import { useKnownEmail } from '../../shared/account-forms/use-known-email.ts';
import { useLinkFacts } from '../../shared/account-forms/use-link-facts.ts';
import { useRedirect } from '../../shared/account-forms/use-redirect.ts';
import { temporaryProblem } from '../../shared/screen/temporary-problem.ts';
import { useArrivalFocus } from '../../shared/screen/use-arrival-focus.ts';
import { PasswordField } from '../../ui/PasswordField.tsx';
import { toastError, toastSuccess } from '../../ui/toasts.ts';
import { useForm } from '../../ui/use-form.ts';
import { pause } from './pause.ts';
import { resetFailure } from './reset-failure.ts';

/** `/new-pw`: a new password by the reset key. */
export function NewPasswordPage() {
  const { t } = useTranslation();
  const api = useApi();
  const { isPending, redirectTo } = useRedirect();
  const knownEmail = useKnownEmail();
  const { key: knownKey } = useLinkFacts();
  const [problem, setProblem] = useState<string>();
  const firstEmpty = useArrivalFocus<HTMLInputElement>();

  const form = useForm({
    initial: { email: knownEmail, key: knownKey, newPw: '' },
    check: ({ email, key, newPw }) => ({
      email: emailProblem(t, email),
      key: keyProblem(t, key, LIMITS.resetKeyLength),
      newPw: passwordProblem(t, newPw),
    }),
    send: async ({ email, key, newPw }) => {
      setProblem(undefined);
      const submittedAt = performance.now();
      try {
        await setNewPassword(api, { email: normalizeEmail(email), key: key.trim(), newPw });
        toastSuccess(t('newPassword.success'), { announcesNavigation: true });
        redirectTo(PATHS.login, { email: normalizeEmail(email) });
        return undefined;
      } catch (error) {
        await pause(UI.newPasswordErrorDelay - (performance.now() - submittedAt));
        const failure = resetFailure(error);
        toastError(t(`newPassword.${failure}`));
        setProblem(temporaryProblem(t, error));
        if (failure === 'noUser') return { email: t('newPassword.noUser') };
        return failure === 'keyWrong' ? { key: t('newPassword.keyWrong') } : undefined;
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
      <AuthForm
        form={form}
        submitLabel={t('newPassword.submit')}
        done={isPending}
        problem={problem}
      >
        <EmailField
          {...form.field('email')}
          ref={knownEmail === '' ? firstEmpty : undefined}
          autoComplete="username"
        />
        <KeyField
          {...form.field('key')}
          ref={knownEmail === '' ? undefined : firstEmpty}
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
