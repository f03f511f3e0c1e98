import type { Language, Volume } from '@parley/contract';
import type { ColumnType, Generated } from 'kysely';

/** An account. Times are UTC milliseconds, here and in every table. */
export interface UsersTable {
  id: string;
  /** As typed. */
  username: string;
  /** Folded, for comparison; unique. */
  username_key: string;
  /** Lower-cased; unique. */
  email: string;
  /** Argon2id, PHC string. */
  password_hash: string;
  /** May be one that only a newer version knows: read it with `toLanguage`. */
  language: ColumnType<string, Language, Language>;
  volume: Volume;
  /** Null until the address is verified. */
  verified_at: number | null;
  created_at: number;
  /** Set once the account is deleted: its row has no name any more and goes when all else is erased. */
  ended_at: Generated<number | null>;
}

/** A key that was mailed: at most one a user and purpose. */
export interface AccountKeysTable {
  user_id: string;
  purpose: 'verify' | 'reset';
  /** SHA-256 of the key, salted with the user's id. */
  hash: string;
  expires_at: number;
  tries_left: number;
}
