import { useContext, useState } from 'react';
import { I18nContext } from 'react-i18next';
import { temporaryErrorText } from '../../shared/screen/temporary-error-text.ts';
import { toastError, toastSuccess } from '../../ui/toasts.ts';

interface OptimisticSetting<Value> {
  /** What is shown: the new value while it is on its way, else the kept one. */
  shown: Value;
  /** Sends a new value; a failure brings the old one back. Tells how it went. */
  change: (value: Value) => void;
}

/** A setting that is kept on the server and changes at once on the screen. */
export function useOptimisticSetting<Value>(
  saved: Value,
  send: (value: Value) => Promise<void>,
): OptimisticSetting<Value> {
  // The change may be one of language: what is said after it is said in the new one.
  const { i18n } = useContext(I18nContext);
  const [pending, setPending] = useState<{ value: Value }>();

  async function sendAndNotify(value: Value): Promise<void> {
    try {
      await send(value);
      toastSuccess(i18n.t('settings.updated'));
    } catch (error) {
      toastError(i18n.t('settings.failed'));
      const errorText = temporaryErrorText(i18n.t, error);
      if (errorText !== undefined) toastError(errorText);
    }
    setPending((current) => (current?.value === value ? undefined : current));
  }

  return {
    shown: pending ? pending.value : saved,
    change: (value) => {
      setPending({ value });
      void sendAndNotify(value);
    },
  };
}
