import { LIMITS, normalizeEmail, normalizeKey, readableEmail } from '@parley/contract';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { useApi } from '../../app/app-context.ts';
import { chatPath, PATHS } from '../../navigation/paths.ts';
import { saveReturnTo } from '../../navigation/return-to.ts';
import { AuthForm } from '../../shared/account-forms/AuthForm.tsx';
import { AuthFrame } from '../../shared/account-forms/AuthFrame.tsx';
import { EmailField } from '../../shared/account-forms/EmailField.tsx';
import { validateEmail, validateKey } from '../../shared/account-forms/field-validation.ts';
import { KeyField } from '../../shared/account-forms/KeyField.tsx';
import { usePrefilledEmail } from '../../shared/account-forms/use-prefilled-email.ts';
import { useRedirect } from '../../shared/account-forms/use-redirect.ts';
import { useFailureText } from '../../failures/use-failure-text.ts';
import { useFocusOnNavigation } from '../../shared/screen/use-focus-on-navigation.ts';
import { toastError, toastSuccess } from '../../ui/show-toast.ts';
import { useForm } from '../../ui/use-form.ts';
import { ResendKey } from './ResendKey.tsx';
import { verifyErrorKey } from './verify-error-key.ts';

/** `/register/verify`: verifies the email address with the key from the mail. */
export function VerifyPage() {
  const { t } = useTranslation();
  const api = useApi();
  const { isRedirecting, redirectTo } = useRedirect();
  const { explain } = useFailureText();
  const prefilledEmail = usePrefilledEmail();
  const firstEmpty = useFocusOnNavigation<HTMLInputElement>();

  const form = useForm({
    initial: { email: prefilledEmail, key: '' },
    validate: ({ email, key }) => ({
      email: validateEmail(t, email),
      key: validateKey(t, key, LIMITS.verifyKeyLength),
    }),
    send: async ({ email, key }) => {
      try {
        const { chatroomId } = await api.call('verify', {
          body: { email: normalizeEmail(email), key: normalizeKey(key) },
        });
        // The chat with the user who has invited.
        if (chatroomId !== undefined) saveReturnTo(chatPath(chatroomId));
        toastSuccess(t('verify.success'), { announcesNavigation: true });
        redirectTo(PATHS.login, { email: readableEmail(email) });
        return undefined;
      } catch (error) {
        const failure = verifyErrorKey(error);
        toastError(t(`verify.${failure}`));
        return {
          form: await explain(error),
          key: failure === 'mismatch' ? t('verify.mismatchField') : undefined,
        };
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
      <AuthForm form={form} submitLabel={t('verify.submit')} isDone={isRedirecting}>
        <EmailField
          {...form.field('email')}
          ref={prefilledEmail === '' ? firstEmpty : undefined}
          autoComplete="email"
        />
        <KeyField
          {...form.field('key')}
          ref={prefilledEmail === '' ? undefined : firstEmpty}
          label={t('verify.key')}
          inputMode="numeric"
          length={LIMITS.verifyKeyLength}
        />
      </AuthForm>
      <ResendKey email={form.values.email} />
    </AuthFrame>
  );
}
