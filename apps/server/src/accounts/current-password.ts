import { AppError } from '../errors/app-error.ts';
import type { JobOwner } from '../scheduling/fair-queue.ts';
import type { Writer } from '../storage/storage.ts';
import type { AccountContext } from './account-context.ts';
import { findUserById, type UserRow } from './account.repository.ts';

/**
 * Returns the account of a user who has entered its password.
 * @param hashingOwner the owner of the job in the password hasher's queue.
 * @throws {AppError} `wrong_password`
 */
export async function verifyCurrentPassword(
  { storage, passwords }: Pick<AccountContext, 'storage' | 'passwords'>,
  userId: string,
  password: string,
  hashingOwner: JobOwner,
): Promise<UserRow> {
  const user = await storage.read((db) => findUserById(db, userId));
  const isCorrect = await passwords.verify(user?.password_hash, password, hashingOwner);
  if (user === undefined || !isCorrect) throw new AppError('wrong_password');
  return user;
}

/**
 * Asserts that the password that was verified has not been changed on another device in the meantime.
 * @throws {AppError} `wrong_password`
 */
export async function assertUnchangedPassword(
  trx: Writer,
  { id, password_hash: verified }: Pick<UserRow, 'id' | 'password_hash'>,
): Promise<void> {
  const current = await findUserById(trx, id);
  if (current?.password_hash !== verified) throw new AppError('wrong_password');
}
