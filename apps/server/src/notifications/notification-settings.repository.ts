import type { Selectable } from 'kysely';
import type { Reader, Writer } from '../storage/storage.ts';
import type { NotificationSettingsTable } from '../storage/tables/notifications.table.ts';

/** A row of the table `notification_settings`. */
export type NotificationSettingsRow = Selectable<NotificationSettingsTable>;

/** Finds the settings of a user. Returns undefined if the user has never changed them. */
export function findSettings(
  db: Reader,
  userId: string,
): Promise<NotificationSettingsRow | undefined> {
  return db
    .selectFrom('notification_settings')
    .selectAll()
    .where('user_id', '=', userId)
    .executeTakeFirst();
}

/** Stores the settings of a user. */
export async function upsertSettings(trx: Writer, row: NotificationSettingsRow): Promise<void> {
  const { user_id: _user, ...columns } = row;
  await trx
    .insertInto('notification_settings')
    .values(row)
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(columns))
    .execute();
}
