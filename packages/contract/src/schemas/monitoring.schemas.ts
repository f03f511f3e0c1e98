import { Type, type Static } from 'typebox';
import { oneOf } from './common.schemas.ts';

/** A report that the process is alive. */
export const Health = Type.Object({ status: Type.Literal('ok') });
export type Health = Static<typeof Health>;

/** Whether the server is ready to serve requests, and if not, why. */
export const Readiness = Type.Object({
  status: oneOf('ok', 'unavailable'),
  version: Type.String(),
  /** The commit and its date, as far as they were known to the build. */
  commit: Type.Optional(Type.String()),
  date: Type.Optional(Type.String()),
  database: oneOf('ok', 'failed'),
  disk: oneOf('ok', 'full'),
  /** Only with media in object storage. */
  media: Type.Optional(oneOf('ok', 'failed')),
});
export type Readiness = Static<typeof Readiness>;
