import type { Migration } from 'kysely/migration';
import { initial } from './001-initial.ts';

/** Every migration, in order; listed by hand so that one file can hold them all. */
export const migrations: Record<string, Migration> = {
  '001-initial': initial,
};
