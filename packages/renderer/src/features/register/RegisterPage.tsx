import { ApiError } from '@parley/client';
import { LIMITS, normalizeEmail, normalizeUsername, readableEmail } from '@parley/contract';
import { Trans, useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { useApi } from '../../app/app-context.ts';
import { usePublicConfig } from '../../host/host-context.ts';
import { useLanguage } from '../../i18n/use-language.ts';
import { PATHS } from '../../navigation/paths.ts';
import { AuthForm } from '../../shared/account-forms/AuthForm.tsx';
import { AuthFrame } from '../../shared/account-forms/AuthFrame.tsx';
import { EmailField } from '../../shared/account-forms/EmailField.tsx';
import {
  validateEmail,
  validatePassword,
  validateUsername,
} from '../../shared/account-forms/field-validation.ts';
import { useLinkParams } from '../../shared/account-forms/use-link-params.ts';
import { useRedirect } from '../../shared/account-forms/use-redirect.ts';
import { useFailureText } from '../../failures/use-failure-text.ts';
import { useFocusOnNavigation } from '../../shared/screen/use-focus-on-navigation.ts';
import { Banner } from '../../ui/Banner.tsx';
import { Checkbox } from '../../ui/Checkbox.tsx';
import { NewTabLink } from '../../ui/NewTabLink.tsx';
import { PasswordField } from '../../ui/PasswordField.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { toastError, toastSuccess } from '../../ui/show-toast.ts';
import { useForm } from '../../ui/use-form.ts';
import { registerErrorKey } from './register-error-key.ts';
import { useInviter } from './use-inviter.ts';

/** The value of the privacy field if its checkbox is checked. Values of a form are strings. */
const AGREED = 'yes';

/** `/register`: the registration page. */
export function RegisterPage() {
  const { t } = useTranslation();
  const { registration } = usePublicConfig();
  return (
    <AuthFrame
      title={t('register.title')}
      lead={t('register.lead')}
      links={
        <span>
          {t('register.haveAccount')} <Link to={PATHS.login}>{t('register.toLogin')}</Link>
        </span>
      }
    >
      {registration === 'closed' ? (
        <Banner tone="warning" isInset>
          {t('error.registrationClosed')}
        </Banner>
      ) : (
        <>
          <InviterNotice />
          <RegisterForm isInvitationRequired={registration === 'invite'} />
        </>
      )}
    </AuthFrame>
  );
}

/** Tells people who come from an invitation that their chat will be ready. */
function InviterNotice() {
  const { t } = useTranslation();
  const inviter = useInviter();
  if (inviter === undefined) return null;
  return (
    <Banner tone="info" isInset>
      {t('register.fromInvitation', { name: inviter })}
    </Banner>
  );
}

function RegisterForm({ isInvitationRequired }: { isInvitationRequired: boolean }) {
  const { t } = useTranslation();
  const firstField = useFocusOnNavigation<HTMLInputElement>();
  const { form, isRedirecting } = useRegisterForm(isInvitationRequired);
  const privacy = form.field('privacy');

  return (
    <AuthForm form={form} submitLabel={t('register.submit')} isDone={isRedirecting}>
      <EmailField {...form.field('email')} ref={firstField} autoComplete="email" />
      <TextField
        {...form.field('username')}
        label={t('field.username')}
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        required
        help={t('register.usernameHelp', { min: LIMITS.usernameMin, max: LIMITS.usernameMax })}
      />
      <PasswordField
        {...form.field('password')}
        label={t('field.password')}
        autoComplete="new-password"
        required
        help={t('register.passwordHelp', { min: LIMITS.passwordMin })}
      />
      {isInvitationRequired && (
        <TextField
          {...form.field('invitation')}
          label={t('register.invitation')}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          required
          help={t('register.invitationHelp')}
        />
      )}
      <Checkbox
        name={privacy.name}
        checked={privacy.value === AGREED}
        onCheckedChange={(checked) => privacy.onValueChange(checked ? AGREED : '')}
        error={privacy.error}
        required
      >
        <Trans
          i18nKey="register.privacy"
          components={{ privacy: <NewTabLink to={PATHS.privacy} /> }}
        />
      </Checkbox>
    </AuthForm>
  );
}

/** Returns the form and its state. Submitting it opens the page on which the user verifies the email address. */
function useRegisterForm(isInvitationRequired: boolean) {
  const { t } = useTranslation();
  const api = useApi();
  const language = useLanguage();
  const { isRedirecting, redirectTo } = useRedirect();
  const { explain } = useFailureText();
  const { invitation: linkInvitation } = useLinkParams();

  const form = useForm({
    initial: { email: '', username: '', password: '', invitation: linkInvitation, privacy: '' },
    validate: ({ email, username, password, invitation, privacy }) => ({
      email: validateEmail(t, email),
      username: validateUsername(t, username),
      password: validatePassword(t, password),
      invitation:
        isInvitationRequired && invitation.trim() === ''
          ? t('register.invitationRequired')
          : undefined,
      privacy: privacy === AGREED ? undefined : t('register.privacyRequired'),
    }),
    send: async (values) => {
      const email = normalizeEmail(values.email);
      const username = normalizeUsername(values.username);
      const invitation = values.invitation.trim();
      try {
        await api.call('register', {
          body: {
            email,
            username,
            password: values.password,
            language,
            ...(invitation !== '' && { invitation }),
          },
        });
        toastSuccess(t('register.success'), { announcesNavigation: true });
        redirectTo(PATHS.verify, { email: readableEmail(values.email) });
        return undefined;
      } catch (error) {
        const errorKey = registerErrorKey(error);
        toastError(t(`register.${errorKey}`));
        const code = error instanceof ApiError ? error.code : undefined;
        if (code === 'invitation_invalid') return { invitation: t('register.invitationInvalid') };
        if (code === 'username_not_allowed') return { username: t('field.usernameUnreadable') };
        if (code === 'domain_not_allowed') return { email: t('register.domainNotAllowed') };
        if (code === 'email_not_supported') return { email: t('register.emailNotSupported') };
        const isClosed = code === 'registration_closed';
        return {
          form: isClosed ? t('error.registrationClosed') : await explain(error),
          username: errorKey === 'taken' ? t('register.takenField') : undefined,
        };
      }
    },
  });
  return { form, isRedirecting };
}
