import { createApiClient } from '@parley/client';
import { expect, test } from 'vitest';
import { uploadMedia } from './upload-media.ts';

test('rejects an upload if another user signed in in another tab', async () => {
  const api = createApiClient({ origin: 'http://localhost:1', isOtherUser: () => true });
  // Node has no XMLHttpRequest. Creating one would fail with another error.
  const upload = uploadMedia(api, 'image', new Blob(), 'a.png');
  await expect(upload).rejects.toMatchObject({ code: 'unauthenticated' });
});
