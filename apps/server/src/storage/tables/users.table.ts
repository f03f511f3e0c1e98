import type { AccountSettingName, AccountSettings } from '@parley/contract';
import type { Generated } from 'kysely';

type SnakeCase<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCase<Rest>}`
  : Name;

/** The settings of an account as they are stored: `shares_typing` for `sharesTyping`, with booleans as integers. */
export type SettingColumns = {
  [Name in AccountSettingName as SnakeCase<Name>]: AccountSettings[Name] extends boolean
    ? number
    : AccountSettings[Name];
};

type GeneratedSettings = { [Column in keyof SettingColumns]: Generated<SettingColumns[Column]> };

/** A verified account. Times in all tables are UTC milliseconds. */
export interface UsersTable extends GeneratedSettings {
  id: string;
  /** As the user typed it. */
  username: string;
  /** Case-folded for comparison; unique. */
  username_key: string;
  /** Lower-cased, with the domain in ASCII; unique. */
  email: string;
  /** Argon2id, PHC string. */
  password_hash: string;
  /** When the address was verified; null once the account is deleted. */
  verified_at: number | null;
  created_at: number;
  /**
   * Set when the account is deleted. The row then has no name and is deleted once everything else is
   * erased.
   */
  ended_at: Generated<number | null>;
  /** Since when the operator has suspended the account; null if not. */
  suspended_at: Generated<number | null>;
  /** When the user was last online, in full minutes; null if not known. */
  last_seen_at: Generated<number | null>;
  /** Random; part of what device cookies sign. Changed to make all device cookies of the account invalid. */
  device_epoch: Generated<string>;
  /**
   * What erased media of own messages that the user had deleted with their chat still count towards the quota. With
   * those that are not erased, it does not depend on what the partners have deleted.
   */
  cleared_media_bytes: Generated<number>;
}

/** A key that was mailed; at most one per user and purpose. */
export interface AccountKeysTable {
  user_id: string;
  purpose: 'reset';
  /** SHA-256 of the key, salted with the user's id. */
  hash: string;
  expires_at: number;
  tries_left: number;
}
