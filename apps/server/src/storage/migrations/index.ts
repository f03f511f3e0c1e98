import type { Migrations } from '../schema.ts';
import { initial } from './001-initial.ts';
import { operation } from './002-operation.ts';
import { pictureInspection } from './003-picture-inspection.ts';
import { erasure } from './004-erasure.ts';
import { recordings } from './005-recordings.ts';
import { lookAlikes } from './006-look-alikes.ts';
import { languages } from './007-languages.ts';
import { noOutsideEvents } from './008-no-outside-events.ts';
import { endedSessions } from './009-ended-sessions.ts';
import { postgresConsent } from './010-consent-breaking.postgres.ts';
import { consent } from './010-consent-breaking.ts';
import { postgresSharing } from './011-sharing.postgres.ts';
import { sharing } from './011-sharing.ts';
import { postgresReactions } from './012-reactions.postgres.ts';
import { reactions } from './012-reactions.ts';
import { postgresBaseline } from './postgres-baseline.ts';

/**
 * The migrations of SQLite in order. Listed explicitly, so that they can be bundled into one file.
 */
export const migrations: Migrations = {
  '001-initial': initial,
  '002-operation': operation,
  '003-picture-inspection': pictureInspection,
  '004-erasure': erasure,
  '005-recordings': recordings,
  '006-look-alikes': lookAlikes,
  '007-languages': languages,
  '008-no-outside-events': noOutsideEvents,
  '009-ended-sessions': endedSessions,
  '010-consent-breaking': consent,
  '011-sharing': sharing,
  '012-reactions': reactions,
};

/**
 * The migrations of PostgreSQL in order. The first one creates the schema that SQLite has by then.
 */
export const postgresMigrations: Migrations = {
  '009-ended-sessions': postgresBaseline,
  '010-consent-breaking': postgresConsent,
  '011-sharing': postgresSharing,
  '012-reactions': postgresReactions,
};
