import { ApiError } from '@parley/client';
import { LIMITS, normalizeKey } from '@parley/contract';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { useApi, useSession } from '../../app/app-context.ts';
import { useFailureText } from '../../failures/use-failure-text.ts';
import { PATHS } from '../../navigation/paths.ts';
import { AuthForm } from '../../shared/account-forms/AuthForm.tsx';
import { AuthFrame } from '../../shared/account-forms/AuthFrame.tsx';
import { validateKey } from '../../shared/account-forms/field-validation.ts';
import { KeyField } from '../../shared/account-forms/KeyField.tsx';
import { useLinkParams } from '../../shared/account-forms/use-link-params.ts';
import { useRedirect } from '../../shared/account-forms/use-redirect.ts';
import { useFocusOnNavigation } from '../../shared/screen/use-focus-on-navigation.ts';
import { toastError, toastSuccess } from '../../ui/show-toast.ts';
import { useForm } from '../../ui/use-form.ts';

/**
 * `/email-restore#key=<key>`: takes an account back to its former email address, for guests and users. Opening
 * the link changes nothing, as programs that check emails open it, too.
 */
export function RestoreEmailPage() {
  const { t } = useTranslation();
  const api = useApi();
  const isSignedIn = useSession(({ user }) => user !== undefined);
  const { isRedirecting, redirectTo } = useRedirect();
  const { explain } = useFailureText();
  const { key: linkedKey } = useLinkParams();
  // Mails have no link if the server does not know its address.
  const isTyped = linkedKey === '';
  const titleRef = useFocusOnNavigation<HTMLHeadingElement>();

  const form = useForm({
    initial: { key: linkedKey },
    validate: ({ key }) => ({ key: validateKey(t, key, LIMITS.restoreKeyLength) }),
    send: async ({ key }) => {
      try {
        const { usermail } = await api.call('restoreEmail', { body: { key: normalizeKey(key) } });
        // If the account is signed in here, its session has ended, which the app notices with this request.
        // Otherwise, the next screen asks the user to log out.
        if (isSignedIn) await api.call('getCurrentUser').catch(() => undefined);
        toastSuccess(t('restoreEmail.success'), { announcesNavigation: true });
        redirectTo(PATHS.newPassword, { email: usermail });
        return undefined;
      } catch (error) {
        toastError(t('restoreEmail.failed'));
        const isInvalid = error instanceof ApiError && error.code === 'link_invalid';
        if (isInvalid && isTyped) return { key: t('restoreEmail.invalidKey') };
        return { form: isInvalid ? t('restoreEmail.invalid') : await explain(error) };
      }
    },
  });

  return (
    <AuthFrame
      title={t('restoreEmail.title')}
      titleRef={titleRef}
      lead={isTyped ? t('restoreEmail.leadKey') : t('restoreEmail.lead')}
      links={
        isSignedIn ? (
          <Link to={PATHS.chats}>{t('invite.toChats')}</Link>
        ) : (
          <Link to={PATHS.login}>{t('forgot.toLogin')}</Link>
        )
      }
    >
      <AuthForm form={form} submitLabel={t('restoreEmail.submit')} isDone={isRedirecting}>
        {/* A key that is not complete was not in the link of the email. */}
        {(isTyped || form.field('key').error !== undefined) && (
          <KeyField
            {...form.field('key')}
            label={t('restoreEmail.key')}
            autoCapitalize="none"
            spellCheck={false}
            length={LIMITS.restoreKeyLength}
          />
        )}
      </AuthForm>
    </AuthFrame>
  );
}
