import { expect, test } from 'vitest';
import { openIndexedDbStorage } from '../../src/browser/indexed-db-storage.ts';

test('the storage works if its database is deleted while it is being opened', async () => {
  const opening = openIndexedDbStorage();
  const deleted = Promise.withResolvers<void>();
  const request = indexedDB.deleteDatabase('parley');
  request.addEventListener('success', () => deleted.resolve());
  const storage = await opening;
  await deleted.promise;
  await storage.put('drafts', 'room', { value: 'Hello' });
  expect(await storage.get('drafts', 'room')).toMatchObject({ value: 'Hello' });
  storage.close();
  indexedDB.deleteDatabase('parley');
});
