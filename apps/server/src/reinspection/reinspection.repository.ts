import type { Selectable, Updateable } from 'kysely';
import type { Reader, Writer } from '../storage/storage.ts';
import type { MediaTable } from '../storage/tables/media.ts';

/** A stored picture that newer rules have not seen. */
export type StoredPicture = Pick<
  Selectable<MediaTable>,
  'id' | 'owner_id' | 'mime' | 'file' | 'size' | 'width' | 'height' | 'is_blocked'
>;

/** Pictures that were inspected by rules older than these, the newest first, before an id. */
export function listOutdatedPictures(
  db: Reader,
  rules: number,
  beforeId: string,
  limit: number,
): Promise<StoredPicture[]> {
  return db
    .selectFrom('media')
    .select(['id', 'owner_id', 'mime', 'file', 'size', 'width', 'height', 'is_blocked'])
    .where('kind', '=', 'image')
    .where('inspected_rules', '<', rules)
    .where('id', '<', beforeId)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}

/** What an inspection found. */
export type Findings = Pick<
  Updateable<MediaTable>,
  'size' | 'width' | 'height' | 'is_blocked' | 'inspected_rules'
>;

/** Records what an inspection found, unless the upload was deleted meanwhile. */
export async function updateFindings(trx: Writer, id: string, findings: Findings): Promise<void> {
  await trx.updateTable('media').set(findings).where('id', '=', id).execute();
}

/** The id of the message that shows an upload. */
export async function findMessageShowing(
  trx: Reader,
  mediaId: string,
): Promise<string | undefined> {
  const row = await trx
    .selectFrom('messages')
    .select('id')
    .where('media_id', '=', mediaId)
    .executeTakeFirst();
  return row?.id;
}
