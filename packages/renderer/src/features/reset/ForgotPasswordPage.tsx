import { normalizeEmail, readableEmail } from '@parley/contract';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { useApi } from '../../app/app-context.ts';
import { PATHS } from '../../navigation/paths.ts';
import { AuthForm } from '../../shared/account-forms/AuthForm.tsx';
import { AuthFrame } from '../../shared/account-forms/AuthFrame.tsx';
import { EmailField } from '../../shared/account-forms/EmailField.tsx';
import { validateEmail } from '../../shared/account-forms/field-validation.ts';
import { usePrefilledEmail } from '../../shared/account-forms/use-prefilled-email.ts';
import { useRedirect } from '../../shared/account-forms/use-redirect.ts';
import { useFailureText } from '../../failures/use-failure-text.ts';
import { useFocusOnNavigation } from '../../shared/screen/use-focus-on-navigation.ts';
import { toastError, toastSuccess } from '../../ui/show-toast.ts';
import { useForm } from '../../ui/use-form.ts';
import { resetErrorKey } from './reset-error-key.ts';

/** `/forgot-pw`: the form for requesting a reset key. */
export function ForgotPasswordPage() {
  const { t } = useTranslation();
  const api = useApi();
  const { isRedirecting, redirectTo } = useRedirect();
  const { explain } = useFailureText();
  const prefilledEmail = usePrefilledEmail();
  const firstField = useFocusOnNavigation<HTMLInputElement>();

  const form = useForm({
    initial: { email: prefilledEmail },
    validate: ({ email }) => ({ email: validateEmail(t, email) }),
    send: async (values) => {
      const email = normalizeEmail(values.email);
      try {
        await api.call('requestReset', { body: { email } });
        toastSuccess(t('forgot.success'), { announcesNavigation: true });
        redirectTo(PATHS.newPassword, { email: readableEmail(values.email) });
        return undefined;
      } catch (error) {
        const failure = resetErrorKey(error);
        toastError(t(`forgot.${failure}`));
        return {
          form: await explain(error),
          email: failure === 'noUser' ? t('forgot.noUser') : undefined,
        };
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
          <Link to={PATHS.restoreEmail}>{t('forgot.emailChanged')}</Link>
        </>
      }
    >
      <AuthForm form={form} submitLabel={t('forgot.submit')} isDone={isRedirecting}>
        <EmailField {...form.field('email')} ref={firstField} autoComplete="username" />
      </AuthForm>
    </AuthFrame>
  );
}
