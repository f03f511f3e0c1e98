import { normalizeEmail } from '@parley/contract';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApi } from '../../app/app-context.ts';
import { validateEmail } from '../../shared/account-forms/field-validation.ts';
import css from '../../shared/account-forms/Form.module.css';
import { useFailureText } from '../../failures/use-failure-text.ts';
import { Button } from '../../ui/Button.tsx';
import { toastError, toastSuccess } from '../../ui/show-toast.ts';

/** Seconds before another key can be requested, as an email takes a while to arrive. */
const RESEND_DELAY = 30;

/** Requests a new key for the email address in the form. */
export function ResendKey({ email }: { email: string }) {
  const { t } = useTranslation();
  const api = useApi();
  const { explain } = useFailureText();
  const [isBusy, setIsBusy] = useState(false);
  const [secondsLeft, setSecondsLeft] = useState(0);

  useEffect(() => {
    if (secondsLeft === 0) return undefined;
    const timer = setTimeout(() => setSecondsLeft(secondsLeft - 1), 1_000);
    return () => clearTimeout(timer);
  }, [secondsLeft]);

  async function resend(): Promise<void> {
    const errorText = validateEmail(t, email);
    if (errorText !== undefined) {
      toastError(errorText);
      return;
    }
    setIsBusy(true);
    try {
      await api.call('resendKey', { body: { email: normalizeEmail(email) } });
      toastSuccess(t('verify.resent'));
      setSecondsLeft(RESEND_DELAY);
    } catch (error) {
      toastError((await explain(error)) ?? t('error.server'));
    }
    setIsBusy(false);
  }

  return (
    <div className={css.more}>
      <p>{t('verify.noMail')}</p>
      <Button
        variant="secondary"
        isBusy={isBusy}
        disabled={secondsLeft > 0}
        onClick={() => void resend()}
      >
        {secondsLeft > 0 ? t('verify.resendWait', { count: secondsLeft }) : t('verify.resend')}
      </Button>
    </div>
  );
}
