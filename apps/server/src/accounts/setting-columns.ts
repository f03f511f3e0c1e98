import type { AccountSettings, ChangedSettings } from '@parley/contract';
import { ACCOUNT_SETTING_NAMES, pickSettings } from '@parley/contract/schemas';
import { toLanguage } from '@parley/texts';
import type { SettingColumns } from '../storage/tables/users.table.ts';

/** Returns the columns that store settings. */
export function toSettingColumns(settings: ChangedSettings): Partial<SettingColumns> {
  const columns = Object.entries(pickSettings(settings)).map(([name, value]) => [
    columnOf(name),
    typeof value === 'boolean' ? Number(value) : value,
  ]);
  return Object.fromEntries(columns) as Partial<SettingColumns>;
}

/** Returns the settings that a row contains. */
export function readSettings(row: SettingColumns): AccountSettings {
  const settings = ACCOUNT_SETTING_NAMES.map((name) => {
    const value = row[columnOf(name) as keyof SettingColumns];
    return [name, typeof value === 'number' ? value === 1 : value];
  });
  return {
    ...(Object.fromEntries(settings) as AccountSettings),
    // A newer version may have stored a language that this one does not know.
    language: toLanguage(row.language),
  };
}

function columnOf(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
