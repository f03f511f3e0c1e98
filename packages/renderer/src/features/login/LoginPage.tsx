import { normalizeEmail, UI } from '@parley/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { useSession } from '../../app/app-context.ts';
import { wasSignedInHere } from '../../app/signed-in-hint.ts';
import { PATHS } from '../../routes/paths.ts';
import { readWanted } from '../../routes/wanted.ts';
import { AuthForm } from '../../shared/account-forms/AuthForm.tsx';
import { AuthFrame } from '../../shared/account-forms/AuthFrame.tsx';
import { EmailField } from '../../shared/account-forms/EmailField.tsx';
import { emailProblem, passwordProblem } from '../../shared/account-forms/field-checks.ts';
import { useKnownEmail } from '../../shared/account-forms/use-known-email.ts';
import { temporaryProblem } from '../../shared/screen/temporary-problem.ts';
import { useArrivalFocus } from '../../shared/screen/use-arrival-focus.ts';
import { Banner } from '../../ui/Banner.tsx';
import { LinkButton } from '../../ui/LinkButton.tsx';
import { PasswordField } from '../../ui/PasswordField.tsx';
import { PasswordToggle } from '../../ui/PasswordToggle.tsx';
import { toastError, toastSuccess } from '../../ui/toasts.ts';
import { useForm } from '../../ui/use-form.ts';
import css from './LoginPage.module.css';
import { loginFailure } from './login-failure.ts';
import { useSignIn } from './use-sign-in.ts';

/** `/`: email and password. */
export function LoginPage() {
  const { t } = useTranslation();
  const signIn = useSignIn();
  const [isDone, setDone] = useState(false);
  const [isPasswordShown, setPasswordShown] = useState(false);
  const [problem, setProblem] = useState<string>();
  const [isKnown] = useState(wasSignedInHere);
  const knownEmail = useKnownEmail();
  const firstEmpty = useArrivalFocus<HTMLInputElement>();

  const form = useForm({
    initial: { email: knownEmail, password: '' },
    check: ({ email, password }) => ({
      email: emailProblem(t, email),
      password: passwordProblem(t, password),
    }),
    send: async ({ email, password }) => {
      setProblem(undefined);
      try {
        const finish = await signIn(normalizeEmail(email), password);
        setDone(true);
        toastSuccess(t('login.success'), { announcesNavigation: true });
        setTimeout(finish, UI.redirectDelay);
        return undefined;
      } catch (error) {
        const failure = loginFailure(error);
        toastError(t(`login.${failure}`));
        setProblem(temporaryProblem(t, error));
        return failure === 'wrong' ? { password: t('login.wrongField') } : undefined;
      }
    },
  });

  return (
    <AuthFrame
      title={t('login.title')}
      intro={t('login.intro')}
      lead={isKnown ? t('login.lead') : undefined}
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
        done={isDone}
        problem={problem}
        after={
          <>
            <PasswordToggle
              isShown={isPasswordShown}
              onChange={setPasswordShown}
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
          ref={knownEmail === '' ? firstEmpty : undefined}
          autoComplete="username"
        />
        <PasswordField
          {...form.field('password')}
          ref={knownEmail === '' ? undefined : firstEmpty}
          label={t('field.password')}
          autoComplete="current-password"
          required
          shown={isPasswordShown}
          className={css.password}
        />
      </AuthForm>
    </AuthFrame>
  );
}

/** Why somebody who was elsewhere sees the login now. */
function LoginNotice() {
  const { t } = useTranslation();
  const ended = useSession((state) => state.ended);
  if (ended !== undefined && ended !== 'logout' && ended !== 'account-deleted') {
    return (
      <Banner tone="warning" isInset>
        {t('error.sessionEnded')}
      </Banner>
    );
  }
  if (readWanted() !== undefined)
    return (
      <Banner tone="info" isInset>
        {t('login.wantedHint')}
      </Banner>
    );
  return null;
}
