import { selectMailboxAccounts } from '../storage/mailbox-accounts.ts';
import type { Reader, Writer } from '../storage/storage.ts';
import type { DeviceAccount } from './known-devices.ts';

/** Finds the accounts with a normalized email address. */
export async function findDeviceAccounts(db: Reader, email: string): Promise<DeviceAccount[]> {
  return db
    .selectFrom('users')
    .select(['id', 'device_epoch as epoch'])
    .where('id', 'in', selectMailboxAccounts(db, email))
    .execute();
}

/** Returns the epoch of an account; undefined if it does not exist. */
export async function findEpoch(db: Reader, userId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('users')
    .select('device_epoch')
    .where('id', '=', userId)
    .executeTakeFirst();
  return row?.device_epoch;
}

/** Stores the epoch of an account. */
export async function setEpoch(trx: Writer, userId: string, epoch: string): Promise<void> {
  await trx.updateTable('users').set({ device_epoch: epoch }).where('id', '=', userId).execute();
}
