import type { Selectable, Updateable } from 'kysely';
import type { Reader, Writer } from '../storage/storage.ts';
import type { MediaTable } from '../storage/tables/media.table.ts';

/** A stored image that was inspected with older rules. */
export type StoredImage = Pick<
  Selectable<MediaTable>,
  'id' | 'owner_id' | 'mime' | 'file' | 'size' | 'width' | 'height' | 'is_blocked'
>;

/** Lists images between two ids (exclusive) that were inspected with rules older than `rules`, newest first. */
export function listOutdatedImages(
  db: Reader,
  rules: number,
  { afterId, beforeId }: { afterId: string; beforeId: string },
  limit: number,
): Promise<StoredImage[]> {
  return db
    .selectFrom('media')
    .select(['id', 'owner_id', 'mime', 'file', 'size', 'width', 'height', 'is_blocked'])
    .where('kind', '=', 'image')
    .where('inspected_rules', '<', rules)
    .where('id', '>', afterId)
    .where('id', '<', beforeId)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}

/** The result of an inspection. */
export type Findings = Pick<
  Updateable<MediaTable>,
  'size' | 'width' | 'height' | 'file' | 'mime' | 'is_blocked' | 'inspected_rules'
>;

/**
 * Stores the result of an inspection. Returns false if the upload was deleted during the inspection.
 */
export async function updateFindings(
  trx: Writer,
  id: string,
  findings: Findings,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('media')
    .set(findings)
    .where('id', '=', id)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Returns the id of the message that uses an upload. */
export async function findMessageUsing(trx: Reader, mediaId: string): Promise<string | undefined> {
  const row = await trx
    .selectFrom('messages')
    .select('id')
    .where('media_id', '=', mediaId)
    .executeTakeFirst();
  return row?.id;
}
