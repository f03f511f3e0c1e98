import type { Reader, Writer } from '../storage/storage.ts';
import type { DeviceAccount } from './known-devices.ts';

/** Finds the account with a normalized email address. */
export async function findDeviceAccount(
  db: Reader,
  email: string,
): Promise<DeviceAccount | undefined> {
  return db
    .selectFrom('users')
    .select(['id', 'device_epoch as epoch'])
    .where('email', '=', email)
    .executeTakeFirst();
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
