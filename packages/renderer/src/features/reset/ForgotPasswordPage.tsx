import { forgotPassword } from '@parley/client';
import { normalizeEmail } from '@parley/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { useApi } from '../../app/app-context.ts';
import { PATHS } from '../../routes/paths.ts';
import { AuthForm } from '../../shared/account-forms/AuthForm.tsx';
import { AuthFrame } from '../../shared/account-forms/AuthFrame.tsx';
import { EmailField } from '../../shared/account-forms/EmailField.tsx';
import { emailProblem } from '../../shared/account-forms/field-checks.ts';
import { useKnownEmail } from '../../shared/account-forms/use-known-email.ts';
import { useRedirect } from '../../shared/account-forms/use-redirect.ts';
import { temporaryProblem } from '../../shared/screen/temporary-problem.ts';
import { useArrivalFocus } from '../../shared/screen/use-arrival-focus.ts';
import { toastError, toastSuccess } from '../../ui/toasts.ts';
import { useForm } from '../../ui/use-form.ts';
import { resetFailure } from './reset-failure.ts';

/** `/forgot-pw`: asks for a reset key. */
export function ForgotPasswordPage() {
  const { t } = useTranslation();
  const api = useApi();
  const { isPending, redirectTo } = useRedirect();
  const knownEmail = useKnownEmail();
  const [problem, setProblem] = useState<string>();
  const firstField = useArrivalFocus<HTMLInputElement>();

  const form = useForm({
    initial: { email: knownEmail },
    check: ({ email }) => ({ email: emailProblem(t, email) }),
    send: async (values) => {
      setProblem(undefined);
      const email = normalizeEmail(values.email);
      try {
        await forgotPassword(api, email);
        toastSuccess(t('forgot.success'), { announcesNavigation: true });
        redirectTo(PATHS.newPassword, { email });
        return undefined;
      } catch (error) {
        const failure = resetFailure(error);
        toastError(t(`forgot.${failure}`));
        setProblem(temporaryProblem(t, error));
        return failure === 'noUser' ? { email: t('forgot.noUser') } : undefined;
      }
    },
  });

  return (
    <AuthFrame
      title={t('forgot.title')}
      lead={t('forgot.lead')}
      links={
        <>
          <Link to={PATHS.login}>{t('forgot.toLogin')}</Link>
          <Link to={PATHS.newPassword} state={{ email: form.values.email }}>
            {t('forgot.haveKey')}
          </Link>
        </>
      }
    >
      <AuthForm form={form} submitLabel={t('forgot.submit')} done={isPending} problem={problem}>
        <EmailField {...form.field('email')} ref={firstField} autoComplete="username" />
      </AuthForm>
    </AuthFrame>
  );
}
