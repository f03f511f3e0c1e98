import { ApiError } from '@parley/client';
import { normalizeEmail, UI } from '@parley/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { useSession } from '../../app/app-context.ts';
import { hasEverSignedIn } from '../../app/signed-in-username.ts';
import { chatroomIdOfPath, PATHS } from '../../navigation/paths.ts';
import { readReturnTo } from '../../navigation/return-to.ts';
import { AuthForm } from '../../shared/account-forms/AuthForm.tsx';
import { AuthFrame } from '../../shared/account-forms/AuthFrame.tsx';
import { EmailField } from '../../shared/account-forms/EmailField.tsx';
import { validateEmail, validatePassword } from '../../shared/account-forms/field-validation.ts';
import { usePrefilledEmail } from '../../shared/account-forms/use-prefilled-email.ts';
import { useFailureText } from '../../failures/use-failure-text.ts';
import { useFocusOnNavigation } from '../../shared/screen/use-focus-on-navigation.ts';
import { Banner } from '../../ui/Banner.tsx';
import { LinkButton } from '../../ui/LinkButton.tsx';
import { PasswordField } from '../../ui/PasswordField.tsx';
import { PasswordToggle } from '../../ui/PasswordToggle.tsx';
import { toastError, toastSuccess } from '../../ui/show-toast.ts';
import { useForm } from '../../ui/use-form.ts';
import css from './LoginPage.module.css';
import { loginErrorKey } from './login-error-key.ts';
import { useSignIn } from './use-sign-in.ts';

interface LoginPageProps {
  /** Loads the code of the screen that follows a successful login. */
  loadNextScreen: () => Promise<unknown>;
}

/** `/`: the login page. */
export function LoginPage({ loadNextScreen }: LoginPageProps) {
  const { t } = useTranslation();
  const [isPasswordShown, setIsPasswordShown] = useState(false);
  const [isKnown] = useState(hasEverSignedIn);
  const prefilledEmail = usePrefilledEmail();
  const firstEmpty = useFocusOnNavigation<HTMLInputElement>();
  const { form, isDone } = useLoginForm(prefilledEmail, loadNextScreen);

  return (
    <AuthFrame
      title={t('login.title')}
      lead={isKnown ? t('login.lead') : t('login.intro')}
      notice={<LoginNotice />}
      links={
        <>
          <LinkButton variant="secondary" to={PATHS.register}>
            {t('login.notRegistered')}
          </LinkButton>
          <Link to={PATHS.verify} state={{ email: form.values.email }}>
            {t('login.notVerified')}
          </Link>
        </>
      }
    >
      <AuthForm
        form={form}
        submitLabel={t('login.submit')}
        isDone={isDone}
        after={
          <>
            <PasswordToggle
              isShown={isPasswordShown}
              onChange={setIsPasswordShown}
              className={css.toggle}
            />
            <p className={css.forgot}>
              <Link to={PATHS.forgotPassword} state={{ email: form.values.email }}>
                {t('login.forgot')}
              </Link>
            </p>
          </>
        }
      >
        <EmailField
          {...form.field('email')}
          ref={prefilledEmail === '' ? firstEmpty : undefined}
          autoComplete="username"
        />
        <PasswordField
          {...form.field('password')}
          ref={prefilledEmail === '' ? undefined : firstEmpty}
          label={t('field.password')}
          autoComplete="current-password"
          required
          isShown={isPasswordShown}
          className={css.password}
        />
      </AuthForm>
    </AuthFrame>
  );
}

/** Returns the form and its state. Sending it signs the user in. */
function useLoginForm(prefilledEmail: string, loadNextScreen: () => Promise<unknown>) {
  const { t } = useTranslation();
  const signIn = useSignIn(loadNextScreen);
  const { explain } = useFailureText();
  const [isDone, setIsDone] = useState(false);

  const form = useForm({
    initial: { email: prefilledEmail, password: '' },
    validate: ({ email, password }) => ({
      email: validateEmail(t, email),
      password: validatePassword(t, password),
    }),
    send: async ({ email, password }) => {
      try {
        const finish = await signIn(normalizeEmail(email), password);
        setIsDone(true);
        // It would cover the header of a chatroom.
        const opensChat = chatroomIdOfPath(readReturnTo() ?? '') !== undefined;
        toastSuccess(t('login.success'), { announcesNavigation: !opensChat });
        setTimeout(finish, UI.redirectDelay);
        return undefined;
      } catch (error) {
        const failure = loginErrorKey(error);
        toastError(t(`login.${failure}`));
        const isSuspended = error instanceof ApiError && error.code === 'account_suspended';
        return {
          form: isSuspended ? t('login.suspended') : await explain(error),
          password: failure === 'wrong' ? t('login.wrongField') : undefined,
        };
      }
    },
  });

  return { form, isDone };
}

/** Explains why the user was redirected to the login page. */
function LoginNotice() {
  const { t } = useTranslation();
  const endReason = useSession((state) => state.endReason);
  if (endReason !== undefined && endReason !== 'logout' && endReason !== 'account-deleted') {
    return (
      <Banner tone="warning" isInset>
        {t('error.sessionEnded')}
      </Banner>
    );
  }
  if (readReturnTo() !== undefined)
    return (
      <Banner tone="info" isInset>
        {t('login.returnHint')}
      </Banner>
    );
  return null;
}
