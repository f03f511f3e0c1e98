import type { Generated } from 'kysely';

/**
 * An entry of the erasure queue, which survives a restart. It is deleted once its subject has been
 * erased.
 */
export interface ErasuresTable {
  id: Generated<number>;
  /**
   * - `account`: the data of a deleted account; the subject is its id
   * - `chatroom`: the messages of a chatroom that no member sees any more; the subject is its id
   * - `file`: the file of an upload; the subject is its name
   * - `mails`: mails written to files; the subject is the hash of the recipient's address
   * - `free-pages`: texts that earlier versions left in free pages of the database; the subject is
   *   empty
   */
  kind: 'account' | 'chatroom' | 'file' | 'mails' | 'free-pages';
  subject: string;
}
