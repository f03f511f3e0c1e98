import { verify } from '@parley/client';
import { LIMITS, normalizeEmail } from '@parley/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { useApi } from '../../app/app-context.ts';
import { PATHS } from '../../routes/paths.ts';
import { AuthForm } from '../../shared/account-forms/AuthForm.tsx';
import { AuthFrame } from '../../shared/account-forms/AuthFrame.tsx';
import { EmailField } from '../../shared/account-forms/EmailField.tsx';
import { emailProblem, keyProblem } from '../../shared/account-forms/field-checks.ts';
import { KeyField } from '../../shared/account-forms/KeyField.tsx';
import { useKnownEmail } from '../../shared/account-forms/use-known-email.ts';
import { useRedirect } from '../../shared/account-forms/use-redirect.ts';
import { temporaryProblem } from '../../shared/screen/temporary-problem.ts';
import { useArrivalFocus } from '../../shared/screen/use-arrival-focus.ts';
import { toastError, toastSuccess } from '../../ui/toasts.ts';
import { useForm } from '../../ui/use-form.ts';
import { ResendKey } from './ResendKey.tsx';
import { verifyFailure } from './verify-failure.ts';

/** `/register/verify`: the key from the email. */
export function VerifyPage() {
  const { t } = useTranslation();
  const api = useApi();
  const { isPending, redirectTo } = useRedirect();
  const knownEmail = useKnownEmail();
  const [problem, setProblem] = useState<string>();
  const firstEmpty = useArrivalFocus<HTMLInputElement>();

  const form = useForm({
    initial: { email: knownEmail, key: '' },
    check: ({ email, key }) => ({
      email: emailProblem(t, email),
      key: keyProblem(t, key, LIMITS.verifyKeyLength),
    }),
    send: async ({ email, key }) => {
      setProblem(undefined);
      try {
        await verify(api, { email: normalizeEmail(email), key: key.trim() });
        toastSuccess(t('verify.success'), { announcesNavigation: true });
        redirectTo(PATHS.login, { email: normalizeEmail(email) });
        return undefined;
      } catch (error) {
        const failure = verifyFailure(error);
        toastError(t(`verify.${failure}`));
        setProblem(temporaryProblem(t, error));
        return failure === 'mismatch' ? { key: t('verify.mismatchField') } : undefined;
      }
    },
  });

  return (
    <AuthFrame
      title={t('verify.title')}
      lead={t('verify.lead', { length: LIMITS.verifyKeyLength })}
      links={
        <Link to={PATHS.login} state={{ email: form.values.email }}>
          {t('verify.toLogin')}
        </Link>
      }
    >
      <AuthForm form={form} submitLabel={t('verify.submit')} done={isPending} problem={problem}>
        <EmailField
          {...form.field('email')}
          ref={knownEmail === '' ? firstEmpty : undefined}
          autoComplete="email"
        />
        <KeyField
          {...form.field('key')}
          ref={knownEmail === '' ? undefined : firstEmpty}
          label={t('verify.key')}
          inputMode="numeric"
          length={LIMITS.verifyKeyLength}
        />
      </AuthForm>
      <ResendKey email={form.values.email} />
    </AuthFrame>
  );
}
