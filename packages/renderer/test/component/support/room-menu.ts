import type { Translator } from '@parley/texts/translator';
import { page } from 'vitest/browser';

/** Chooses an entry from the menu of the open chatroom by the key of its text. */
export async function chooseFromRoomMenu(t: Translator, key: string): Promise<void> {
  await page.getByRole('button', { name: t('room.menu') }).click();
  await page.getByRole('menuitem', { name: t(key) }).click();
}
