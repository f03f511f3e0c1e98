import { useContext, useState } from 'react';
import { I18nContext } from 'react-i18next';
import { temporaryProblem } from '../../shared/screen/temporary-problem.ts';
import { toastError, toastSuccess } from '../../ui/toasts.ts';

interface Change<Value> {
  /** What is shown: the new value while it is on its way, else the kept one. */
  shown: Value;
  /** Sends a new value; a failure brings the old one back. Tells how it went. */
  change: (value: Value) => void;
}

/** A setting that is kept on the server and changes at once on the screen. */
export function useChange<Value>(
  kept: Value,
  send: (value: Value) => Promise<void>,
): Change<Value> {
  // The change may be one of language: what is said after it is said in the new one.
  const { i18n } = useContext(I18nContext);
  const [wanted, setWanted] = useState<{ value: Value }>();

  async function sendAndTell(value: Value): Promise<void> {
    try {
      await send(value);
      toastSuccess(i18n.t('settings.updated'));
    } catch (error) {
      toastError(i18n.t('settings.failed'));
      const problem = temporaryProblem(i18n.t, error);
      if (problem !== undefined) toastError(problem);
    }
    setWanted((current) => (current?.value === value ? undefined : current));
  }

  return {
    shown: wanted ? wanted.value : kept,
    change: (value) => {
      setWanted({ value });
      void sendAndTell(value);
    },
  };
}
