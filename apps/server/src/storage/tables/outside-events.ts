import type { Generated } from 'kysely';

/** What commands of an operator did to the database while, perhaps, a server runs on it. */
export interface OutsideEventsTable {
  id: Generated<number>;
  /** A domain event as JSON. */
  event: string;
}
