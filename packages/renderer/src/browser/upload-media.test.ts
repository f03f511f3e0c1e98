import { createApiClient } from '@parley/client';
import { UPLOAD_ID_HEADER } from '@parley/contract';
import { afterEach, expect, test, vi } from 'vitest';
import { createUploadMedia, type FollowUpload } from './upload-media.ts';

/** An upload whose server never responds. */
class StalledRequest extends EventTarget {
  static last: StalledRequest | undefined;
  readonly upload = new EventTarget();
  readonly isAborted = vi.fn<() => void>();
  readonly headers = new Map<string, string>();
  setRequestHeader = this.headers.set.bind(this.headers);
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
  const upload = createUploadMedia()(api, 'image', new Blob(), 'a.png');
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

test('follows an upload whose request reports no progress until it ends', async () => {
  vi.useFakeTimers();
  vi.stubGlobal('XMLHttpRequest', StalledRequest);
  const stop = vi.fn<() => void>();
  const follow = vi.fn<FollowUpload>(() => stop);
  const onProgress = vi.fn<(share: number) => void>();
  const canceling = new AbortController();
  const api = createApiClient({ origin: 'http://localhost:1' });
  const options = { onProgress, signal: canceling.signal };
  const upload = createUploadMedia(follow)(api, 'image', new Blob(), 'a.png', options);
  const outcome = expect(upload).rejects.toMatchObject({ name: 'AbortError' });
  const [id, report] = follow.mock.lastCall ?? [];
  expect(StalledRequest.last?.headers.get(UPLOAD_ID_HEADER)).toBe(id);
  for (let minutes = 1; minutes < 10; minutes += 1) {
    report?.(minutes / 10);
    await vi.advanceTimersByTimeAsync(60_000);
  }
  expect(onProgress).toHaveBeenLastCalledWith(0.9);
  expect(StalledRequest.last?.isAborted).not.toHaveBeenCalled();
  expect(stop).not.toHaveBeenCalled();
  canceling.abort();
  await outcome;
  expect(stop).toHaveBeenCalledOnce();
});

test('rejects an upload if another user signed in in another tab', async () => {
  const api = createApiClient({ origin: 'http://localhost:1', isOtherUser: () => true });
  // Node has no XMLHttpRequest. Creating one would fail with another error.
  const upload = createUploadMedia()(api, 'image', new Blob(), 'a.png');
  await expect(upload).rejects.toMatchObject({ code: 'unauthenticated' });
});
