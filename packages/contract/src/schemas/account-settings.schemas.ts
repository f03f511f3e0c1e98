import { Type, type Static, type TSchema } from 'typebox';
import { LanguageSchema, Volume, oneOf } from './common.schemas.ts';

/**
 * Who may write to a user for the first time: everyone, everyone as a quiet request, only those who use an invitation
 * of the user, or no one.
 */
export const WhoMayWrite = oneOf('everyone', 'invited', 'nobody', 'requests');
export type WhoMayWrite = Static<typeof WhoMayWrite>;

function setting<Schema extends TSchema>(schema: Schema, initial: Static<Schema>) {
  return { schema, initial };
}

/**
 * The settings of an account, which all devices of its user have in common, with the value of a new account. From a
 * row follow the setting's place in the profile, in `changeSettings` and in the live event `settings`, and the column
 * that stores it: `shares_typing` for `sharesTyping`, with booleans as integers.
 */
export const ACCOUNT_SETTINGS = {
  language: setting(LanguageSchema, 'en'),
  volume: setting(Volume, 'middle'),
  whoMayWrite: setting(WhoMayWrite, 'everyone'),
  isDiscoverable: setting(
    Type.Boolean({ description: 'Whether others find the user by username' }),
    true,
  ),
  sharesReceipts: setting(
    Type.Boolean({
      description:
        'Whether the user and accepted partners tell each other which messages they received and read',
    }),
    true,
  ),
  sharesTyping: setting(
    Type.Boolean({
      description: 'Whether the user and accepted partners tell each other that they are typing',
    }),
    true,
  ),
  sharesPresence: setting(
    Type.Boolean({
      description: 'Whether the user and accepted partners tell each other when they are online',
    }),
    true,
  ),
};

type Rows = typeof ACCOUNT_SETTINGS;

/** The name of a setting of an account. */
export type AccountSettingName = keyof Rows;

/** The names of the settings of an account. */
export const ACCOUNT_SETTING_NAMES = Object.keys(ACCOUNT_SETTINGS) as AccountSettingName[];

/** All settings of an account. */
export const AccountSettings = Type.Object(
  Object.fromEntries(
    ACCOUNT_SETTING_NAMES.map((name) => [name, ACCOUNT_SETTINGS[name].schema]),
  ) as {
    [Name in AccountSettingName]: Rows[Name]['schema'];
  },
);
export type AccountSettings = Static<typeof AccountSettings>;

/** The settings to change, or those that were changed. */
export const ChangedSettings = Type.Partial(AccountSettings);
export type ChangedSettings = Static<typeof ChangedSettings>;

/** Returns the settings of a new account. */
export function initialSettings(): AccountSettings {
  return Object.fromEntries(
    ACCOUNT_SETTING_NAMES.map((name) => [name, ACCOUNT_SETTINGS[name].initial]),
  ) as AccountSettings;
}

/** Returns the settings among the fields of an object, without those that are undefined. */
export function pickSettings<Source extends ChangedSettings>(
  source: Source,
): Pick<Source, AccountSettingName & keyof Source> {
  const known = ACCOUNT_SETTING_NAMES.filter((name) => source[name] !== undefined);
  return Object.fromEntries(known.map((name) => [name, source[name]])) as Pick<
    Source,
    AccountSettingName & keyof Source
  >;
}
