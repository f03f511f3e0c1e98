import { test } from 'vitest';
import { STORAGE_CHECKS } from '../../test/storage-conformance.ts';
import { createMemoryStorageArea } from './memory-storage.ts';

test.each(STORAGE_CHECKS)('the memory storage $name', async ({ run }) => {
  const area = createMemoryStorageArea();
  await run(async () => area.open());
});
