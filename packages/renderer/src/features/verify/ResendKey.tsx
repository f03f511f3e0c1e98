import { resendKey } from '@parley/client';
import { normalizeEmail } from '@parley/contract';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApi } from '../../app/app-context.ts';
import { emailProblem } from '../../shared/account-forms/field-checks.ts';
import css from '../../shared/account-forms/Form.module.css';
import { temporaryProblem } from '../../shared/screen/temporary-problem.ts';
import { Button } from '../../ui/Button.tsx';
import { toastError, toastSuccess } from '../../ui/toasts.ts';

/** Seconds before another key can be asked for: mail takes a while. */
const WAIT = 30;

/** Has a new key sent to the email that stands in the form. */
export function ResendKey({ email }: { email: string }) {
  const { t } = useTranslation();
  const api = useApi();
  const [isBusy, setBusy] = useState(false);
  const [left, setLeft] = useState(0);

  useEffect(() => {
    if (left === 0) return undefined;
    const timer = setTimeout(() => setLeft(left - 1), 1_000);
    return () => clearTimeout(timer);
  }, [left]);

  async function resend(): Promise<void> {
    const problem = emailProblem(t, email);
    if (problem !== undefined) {
      toastError(problem);
      return;
    }
    setBusy(true);
    try {
      await resendKey(api, normalizeEmail(email));
      toastSuccess(t('verify.resent'));
      setLeft(WAIT);
    } catch (error) {
      toastError(temporaryProblem(t, error) ?? t('error.server'));
    }
    setBusy(false);
  }

  return (
    <div className={css.more}>
      <p>{t('verify.noMail')}</p>
      <Button variant="secondary" busy={isBusy} disabled={left > 0} onClick={() => void resend()}>
        {left > 0 ? t('verify.resendWait', { count: left }) : t('verify.resend')}
      </Button>
    </div>
  );
}
