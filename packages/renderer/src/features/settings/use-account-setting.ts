import type { AccountSettingName, AccountSettings } from '@parley/contract';
import { useApi, useSessionStore, useUser } from '../../app/app-context.ts';
import {
  useOptimisticSetting,
  type OptimisticSetting,
} from '../../shared/settings/use-optimistic-setting.ts';

/** Returns a setting of the account, which all devices of the user have in common. */
export function useAccountSetting<Name extends AccountSettingName>(
  name: Name,
): OptimisticSetting<AccountSettings[Name]> {
  const api = useApi();
  const session = useSessionStore();
  return useOptimisticSetting<AccountSettings[Name]>(useUser()[name], async (requested) => {
    const stored = await api.call('changeSettings', { body: { [name]: requested } });
    session.getState().changeSettings(stored);
  });
}
