import { useContext, useState } from 'react';
import { I18nContext } from 'react-i18next';
import { useFailureText } from '../../failures/use-failure-text.ts';
import { toastError, toastSuccess } from '../../ui/show-toast.ts';

/** A setting that is shown with its new value while it is being saved. */
export interface OptimisticSetting<Value> {
  /** The new value while it is being saved, otherwise the saved one. */
  shown: Value;
  /** Saves a new value and shows a toast with the result. A failure restores the old value. */
  change: (value: Value) => void;
}

/** Returns a setting that is saved on the server and updated optimistically. */
export function useOptimisticSetting<Value>(
  saved: Value,
  send: (value: Value) => Promise<void>,
): OptimisticSetting<Value> {
  // Uses the i18next instance, so that the toast after a change of the language is in the new language.
  const { i18n } = useContext(I18nContext);
  const { withHelp } = useFailureText();
  const [pending, setPending] = useState<{ value: Value }>();

  async function sendAndNotify(value: Value): Promise<void> {
    try {
      await send(value);
      toastSuccess(i18n.t('settings.updated'));
    } catch (error) {
      toastError(await withHelp(i18n.t('settings.failed'), error));
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
