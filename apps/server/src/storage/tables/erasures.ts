import type { Generated } from 'kysely';

/** What is left to erase. A row goes once its subject is erased, so the list survives a restart. */
export interface ErasuresTable {
  id: Generated<number>;
  /**
   * `account`: what an ended account leaves; the subject is its id. `file`: an upload's file; its name.
   * `mails`: mails in the outbox folder; the hash of their recipient's address. `free-pages`: texts that
   * earlier versions left in free pages of the database; the subject is empty.
   */
  kind: 'account' | 'file' | 'mails' | 'free-pages';
  subject: string;
}
