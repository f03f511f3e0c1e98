import type { Migrations } from '../migrate.ts';
import { initial } from './001-initial.ts';
import { operation } from './002-operation.ts';

/** Every migration, in order; listed by hand so that one file can hold them all. */
export const migrations: Migrations = {
  '001-initial': initial,
  '002-operation': operation,
};
