import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { temporaryProblem } from '../account-forms/temporary-problem.ts';
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
  const { t } = useTranslation();
  const [wanted, setWanted] = useState<{ value: Value }>();

  async function sendAndTell(value: Value): Promise<void> {
    try {
      await send(value);
      toastSuccess(t('settings.updated'));
    } catch (error) {
      toastError(t('settings.failed'));
      const problem = temporaryProblem(t, error);
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
