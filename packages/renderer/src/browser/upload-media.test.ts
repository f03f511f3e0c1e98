import { createApiClient } from '@parley/client';
import { afterEach, expect, test, vi } from 'vitest';
import { uploadMedia } from './upload-media.ts';

/** An upload whose server never responds. */
class StalledRequest extends EventTarget {
  static last: StalledRequest | undefined;
  readonly upload = new EventTarget();
  readonly isAborted = vi.fn<() => void>();
  open(): void {
    StalledRequest.last = this;
  }
  send(): void {}
  abort(): void {
    this.isAborted();
    for (const type of ['abort', 'loadend']) this.dispatchEvent(new Event(type));
  }
}

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('rejects an upload that makes no progress for minutes', async () => {
  vi.useFakeTimers();
  vi.stubGlobal('XMLHttpRequest', StalledRequest);
  const api = createApiClient({ origin: 'http://localhost:1' });
  const upload = uploadMedia(api, 'image', new Blob(), 'a.png');
  const outcome = expect(upload).rejects.toMatchObject({ code: 'offline' });
  for (let minutes = 0; minutes < 10; minutes += 1) {
    StalledRequest.last?.upload.dispatchEvent(new Event('progress'));
    await vi.advanceTimersByTimeAsync(60_000);
  }
  expect(StalledRequest.last?.isAborted).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(10 * 60_000);
  expect(StalledRequest.last?.isAborted).toHaveBeenCalledOnce();
  await outcome;
});

test('rejects an upload if another user signed in in another tab', async () => {
  const api = createApiClient({ origin: 'http://localhost:1', isOtherUser: () => true });
  // Node has no XMLHttpRequest. Creating one would fail with another error.
  const upload = uploadMedia(api, 'image', new Blob(), 'a.png');
  await expect(upload).rejects.toMatchObject({ code: 'unauthenticated' });
});
