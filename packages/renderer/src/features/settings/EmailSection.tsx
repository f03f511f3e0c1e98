import { LIMITS, normalizeEmail, normalizeKey, readableEmail } from '@parley/contract';
import { useEffectEvent, useLayoutEffect, useRef, useState, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { useApi, useSessionStore, useUser } from '../../app/app-context.ts';
import { useFailureText } from '../../failures/use-failure-text.ts';
import { EmailField } from '../../shared/account-forms/EmailField.tsx';
import {
  validateEmail,
  validateKey,
  validatePassword,
} from '../../shared/account-forms/field-validation.ts';
import { KeyField } from '../../shared/account-forms/KeyField.tsx';
import { Button } from '../../ui/Button.tsx';
import { PasswordField } from '../../ui/PasswordField.tsx';
import { toastError, toastSuccess } from '../../ui/show-toast.ts';
import { useForm } from '../../ui/use-form.ts';
import { emailChangeError } from './email-change-error.ts';
import css from './EmailSection.module.css';
import { SettingsSection } from './SettingsSection.tsx';

/** Changes the email address: first the form that requests the key, then the one for the key in the email. */
export function EmailSection() {
  const { t } = useTranslation();
  const { usermail, newUsermail } = useUser();
  const heading = useRef<HTMLHeadingElement>(null);
  // The form with the focus is replaced by another one.
  const handleDone = () => heading.current?.focus();
  return (
    <SettingsSection
      title={t('settings.email')}
      help={t('settings.emailHelp', { email: usermail })}
      headingRef={heading}
    >
      {newUsermail === undefined ? (
        <NewEmailForm onDone={handleDone} />
      ) : (
        <EmailKeyForm key={newUsermail} email={newUsermail} onDone={handleDone} />
      )}
    </SettingsSection>
  );
}

interface FormProps {
  onDone: () => void;
}

/** Returns the ref of a form. Calls `onDone` if another device replaces the form while it has the focus. */
function useFormRef(onDone: () => void): RefObject<HTMLFormElement | null> {
  const ref = useRef<HTMLFormElement>(null);
  const handleDone = useEffectEvent(onDone);
  useLayoutEffect(() => {
    const form = ref.current;
    return () => {
      if (form?.contains(document.activeElement)) handleDone();
    };
  }, []);
  return ref;
}

/** Returns a function that tells why a change failed. It resolves to the text of the field that the error belongs to. */
function useExplainChange() {
  const { t } = useTranslation();
  const { withHelp } = useFailureText();
  return async (error: unknown) => {
    toastError(await withHelp(t('settings.failed'), error));
    const failure = emailChangeError(error);
    return failure && { [failure.field]: t(failure.text) };
  };
}

function NewEmailForm({ onDone }: FormProps) {
  const { t } = useTranslation();
  const explainChange = useExplainChange();
  const api = useApi();
  const session = useSessionStore();
  const { usermail } = useUser();
  const ref = useFormRef(onDone);

  const form = useForm({
    initial: { newEmail: '', password: '' },
    validate: ({ newEmail, password }) => ({
      newEmail:
        validateEmail(t, newEmail) ??
        (normalizeEmail(newEmail) === normalizeEmail(usermail)
          ? t('settings.emailOwn')
          : undefined),
      password: validatePassword(t, password),
    }),
    send: async ({ newEmail, password }) => {
      try {
        await api.call('requestEmailChange', {
          body: { email: normalizeEmail(newEmail), password },
        });
        session.getState().changeEmail({ usermail, newUsermail: readableEmail(newEmail) });
        onDone();
        return undefined;
      } catch (error) {
        return explainChange(error);
      }
    },
  });

  return (
    <form ref={ref} className={css.form} noValidate onSubmit={form.submit}>
      {/* Password managers read the account that the password belongs to from this field. */}
      <input type="text" name="email" autoComplete="username" value={usermail} readOnly hidden />
      <EmailField {...form.field('newEmail')} label={t('settings.newEmail')} autoComplete="email" />
      <PasswordField
        {...form.field('password')}
        label={t('field.password')}
        autoComplete="current-password"
        required
      />
      <div className={css.buttons}>
        <Button type="submit" variant="secondary" isBusy={form.isBusy}>
          {t('settings.changeEmail')}
        </Button>
      </div>
    </form>
  );
}

function EmailKeyForm({ email, onDone }: FormProps & { email: string }) {
  const { t } = useTranslation();
  const explainChange = useExplainChange();
  const api = useApi();
  const session = useSessionStore();
  const { usermail } = useUser();
  const [isCanceling, setIsCanceling] = useState(false);
  const ref = useFormRef(onDone);

  const form = useForm({
    initial: { key: '' },
    validate: ({ key }) => ({ key: validateKey(t, key, LIMITS.verifyKeyLength) }),
    send: async ({ key }) => {
      try {
        const changed = await api.call('confirmEmailChange', {
          body: { email: normalizeEmail(email), key: normalizeKey(key) },
        });
        session.getState().changeEmail(changed);
        toastSuccess(t('settings.updated'));
        onDone();
        return undefined;
      } catch (error) {
        return explainChange(error);
      }
    },
  });

  async function cancel(): Promise<void> {
    setIsCanceling(true);
    try {
      await api.call('cancelEmailChange');
      session.getState().changeEmail({ usermail });
      onDone();
    } catch (error) {
      await explainChange(error);
      setIsCanceling(false);
    }
  }

  return (
    <form ref={ref} className={css.form} noValidate onSubmit={form.submit}>
      <p className={css.text}>{t('settings.emailKeySent', { email })}</p>
      <KeyField
        {...form.field('key')}
        label={t('settings.emailKey')}
        inputMode="numeric"
        length={LIMITS.verifyKeyLength}
      />
      <div className={css.buttons}>
        <Button variant="ghost" isBusy={isCanceling} onClick={() => void cancel()}>
          {t('settings.emailCancel')}
        </Button>
        <Button type="submit" variant="secondary" isBusy={form.isBusy}>
          {t('settings.emailConfirm')}
        </Button>
      </div>
    </form>
  );
}
