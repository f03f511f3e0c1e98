import type { Volume, WhoMayWrite } from '@parley/contract';
import type { Language } from '@parley/texts';
import type { ColumnType, Generated } from 'kysely';

/** A verified account. Times in all tables are UTC milliseconds. */
export interface UsersTable {
  id: string;
  /** As the user typed it. */
  username: string;
  /** Case-folded for comparison; unique. */
  username_key: string;
  /** Lower-cased, with the domain in ASCII; unique. */
  email: string;
  /** Argon2id, PHC string. */
  password_hash: string;
  /** May be a language that only a newer version supports: read it with `toLanguage`. */
  language: ColumnType<string, Language, Language>;
  volume: Volume;
  /** When the address was verified; null once the account is deleted. */
  verified_at: number | null;
  created_at: number;
  /**
   * Set when the account is deleted. The row then has no name and is deleted once everything else is
   * erased.
   */
  ended_at: Generated<number | null>;
  /** From whom the user accepts a first message. */
  who_may_write: Generated<WhoMayWrite>;
  /** 0 if only users who share a chatroom with the user find the user. */
  is_discoverable: Generated<number>;
  /** Since when the operator has suspended the account; null if not. */
  suspended_at: Generated<number | null>;
  /** 1 if the user and accepted partners tell each other what they received and read. */
  shares_receipts: Generated<number>;
  /** 1 if the user and accepted partners tell each other that they are typing. */
  shares_typing: Generated<number>;
  /** 1 if the user and accepted partners tell each other when they are online. */
  shares_presence: Generated<number>;
  /** When the user was last online, in full minutes; null if not known. */
  last_seen_at: Generated<number | null>;
  /** Random; part of what device cookies sign. Changed to make all device cookies of the account invalid. */
  device_epoch: Generated<string>;
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
