import type { ColumnType } from 'kysely';
import type { Language } from '@parley/texts';

/**
 * A registration whose address is not verified yet. An address may have several. The key in the mail to one
 * of them makes it an account, which has the same id, and the others are deleted.
 */
export interface RegistrationsTable {
  id: string;
  /** Normalized; not unique. */
  email: string;
  /** As the user typed it. */
  username: string;
  /** Skeleton of the username as typed. */
  skeleton: string;
  /** Skeleton of the case-folded username. */
  folded_skeleton: string;
  /** Argon2id, PHC string. Registrations of one address share a salt. */
  password_hash: string;
  /** May be a language that only a newer version supports: read it with `toLanguage`. */
  language: ColumnType<string, Language, Language>;
  /** The user whose invitation was used. */
  inviter_id: string | null;
  /** SHA-256 of the emailed key, salted with the id. */
  key_hash: string;
  key_expires_at: number;
  tries_left: number;
  created_at: number;
}
