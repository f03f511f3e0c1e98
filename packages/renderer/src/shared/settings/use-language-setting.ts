import type { Language } from '@parley/texts';
import { useApi, useSessionStore, useUser } from '../../app/app-context.ts';
import { useSwitchLanguage } from '../../i18n/use-language.ts';
import { useOptimisticSetting, type OptimisticSetting } from './use-optimistic-setting.ts';

/** Returns the language of the account, which this device shows once it is saved. */
export function useLanguageSetting(): OptimisticSetting<Language> {
  const api = useApi();
  const session = useSessionStore();
  const { language } = useUser();
  const switchLanguage = useSwitchLanguage();
  return useOptimisticSetting<Language>(language, async (requested) => {
    const response = await api.call('changeLanguage', { body: { language: requested } });
    session.getState().changeSettings({ language: response.language });
    await switchLanguage(response.language);
  });
}
