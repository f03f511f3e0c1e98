import { useContext, useMemo } from 'react';
import { I18nContext } from 'react-i18next';
import { useApi } from '../app/app-context.ts';
import { explainFailure } from './explain-failure.ts';

/** Returns texts for failed calls. They never reject. */
export interface FailureText {
  /** Resolves to why a call failed and what helps; undefined if the cause is not known. */
  explain: (error: unknown) => Promise<string | undefined>;
  /** Resolves to what failed, followed by the explanation if there is one. Both fit into one toast. */
  withHelp: (failure: string, error: unknown) => Promise<string>;
}

/** Returns functions that explain why a call failed, in the language that is current at that time. */
export function useFailureText(): FailureText {
  // useTranslation returns a copy for each language.
  const { i18n } = useContext(I18nContext);
  const { origin } = useApi();
  return useMemo(() => {
    const explain = (error: unknown) => explainFailure({ i18n, origin }, error);
    const withHelp = async (failure: string, error: unknown): Promise<string> => {
      const help = await explain(error);
      return help === undefined ? failure : `${failure} ${help}`;
    };
    return { explain, withHelp };
  }, [i18n, origin]);
}
