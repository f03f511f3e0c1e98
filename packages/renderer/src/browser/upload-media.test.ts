import { createApiClient } from '@parley/client';
import { expect, test } from 'vitest';
import { uploadMedia } from './upload-media.ts';

test('nothing is uploaded under the name of another user who signed in in another tab', async () => {
  const api = createApiClient({ origin: 'http://localhost:1', isOtherUser: () => true });
  // No XMLHttpRequest exists here: one would fail in another way.
  const upload = uploadMedia(api, 'image', new Blob(), 'a.png');
  await expect(upload).rejects.toMatchObject({ code: 'unauthenticated' });
});
