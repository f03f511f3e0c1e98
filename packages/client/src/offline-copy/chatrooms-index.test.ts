import { expect, test } from 'vitest';
import { createHeadlessPlatform } from '../headless-platform.ts';
import { createMemoryStorageArea } from '../storage/memory-storage.ts';
import { openUserStorage } from '../storage/open-storage.ts';
import { readChatroomsIndex, toIndexEntry, updateChatroomsIndex } from './chatrooms-index.ts';

test('erases chatrooms that an earlier version of the client has stored, unless they are written again', async () => {
  const area = createMemoryStorageArea();
  const platform = createHeadlessPlatform(undefined, { openStorage: async () => area.open() });
  const storage = await openUserStorage(platform, { username: 'Ada' });
  if (!storage) throw new Error('the storage cannot be opened');
  const old = { rev: 1, unread: 0, usedAt: 0 };
  await storage.put('meta', 'rooms', { value: { old, again: old } });
  await storage.put('rooms', 'old', { value: { id: 'old' } });
  await storage.put('rooms', 'again', { value: { id: 'again' } });
  const entry = toIndexEntry({ rev: 2, memberRev: 1, unread: 0 }, 0);
  await updateChatroomsIndex(storage, new Map([['again', entry]]));
  expect((await storage.getAll('rooms')).map(({ key }) => key)).toEqual(['again']);
  expect(await readChatroomsIndex(storage)).toEqual({ again: entry });
});
