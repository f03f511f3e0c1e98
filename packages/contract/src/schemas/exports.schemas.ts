import { Type, type Static } from 'typebox';
import { LIMITS } from '../limits.ts';
import { Id, LanguageSchema, Timestamp, oneOf } from './common.schemas.ts';

/** The state of an export: it waits for others, is being made, can be downloaded, or could not be made. */
export const ExportStatus = oneOf('waiting', 'running', 'ready', 'failed');
export type ExportStatus = Static<typeof ExportStatus>;

/** Why an export could not be made. */
export const ExportFailure = oneOf('storage_full', 'internal');
export type ExportFailure = Static<typeof ExportFailure>;

/** An archive with the data of the current user, or with one chat. */
export const DataExport = Type.Object({
  id: Id,
  chatroom: Type.Optional(
    Type.String({ description: 'The only chat that it contains. Otherwise everything' }),
  ),
  partnerName: Type.Optional(
    Type.String({ description: 'With `chatroom`: `deletedUser` if the account was deleted' }),
  ),
  status: ExportStatus,
  done: Type.Integer({ description: 'How many of `total` messages have been read, about' }),
  total: Type.Integer(),
  size: Type.Optional(Type.Integer({ description: 'Bytes of the file, once it is ready' })),
  failure: Type.Optional(ExportFailure),
  createdAt: Timestamp,
  expiresAt: Type.Optional(
    Type.String({ description: 'ISO 8601, UTC: when it will be deleted, once it has finished' }),
  ),
});
export type DataExport = Static<typeof DataExport>;

/** The exports of the current user, newest first. */
export const ExportList = Type.Object({ exports: Type.Array(DataExport) });
export type ExportList = Static<typeof ExportList>;

/** An export to make. */
export const ExportBody = Type.Object({
  chatroom: Type.Optional(
    Type.String({ maxLength: 64, description: 'Only this chat. Everything by default' }),
  ),
  language: LanguageSchema,
  timeZone: Type.String({
    maxLength: LIMITS.timeZoneMax,
    description: 'IANA name of the time zone of the times on the pages',
  }),
});
export type ExportBody = Static<typeof ExportBody>;

export const ExportParams = Type.Object({ id: Type.String({ maxLength: 64 }) });
export type ExportParams = Static<typeof ExportParams>;

/** Headers for requests of a part of the file. */
export const ExportFileHeaders = Type.Object({
  range: Type.Optional(Type.String({ description: 'A single byte range' })),
  'if-range': Type.Optional(Type.String()),
});
