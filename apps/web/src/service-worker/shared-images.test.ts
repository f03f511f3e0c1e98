import { SHARE_ID_PARAM } from '@parley/contract';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createSharedContentStore } from '../shared-content/shared-content-cache.ts';
import { receiveShare } from './share-target.ts';

const ORIGIN = 'https://chat.example';

/** Creates the caches of a browser, as far as shared content needs them. */
function createCaches() {
  const stored = new Map<string, Response>();
  const cache = {
    put: async (path: string, response: Response) => void stored.set(path, response),
    match: async (path: string) => stored.get(path)?.clone(),
    keys: async () => [...stored.keys()].map((path) => ({ url: ORIGIN + path })),
    delete: async (path: string) => stored.delete(path),
  };
  return { open: async () => cache, has: async () => true };
}

beforeEach(() => {
  vi.stubGlobal('caches', createCaches());
  // The worker redirects to a path.
  vi.spyOn(Response, 'redirect').mockImplementation(
    (path) => new Response(null, { status: 303, headers: { location: String(path) } }),
  );
});
afterEach(() => void vi.unstubAllGlobals());

/** Creates an image whose file has some bytes. Only its header is read. */
function createGif(name: string, bytes: number, frames = 1): File {
  const screen = [...new TextEncoder().encode('GIF89a'), 40, 0, 30, 0, 0, 0, 0];
  const frame = [0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0];
  const head = [...screen, ...Array.from({ length: frames }, () => frame).flat()];
  return new File([Uint8Array.from(head), new Uint8Array(bytes - head.length)], name);
}

test('keeps images that are too large but of which smaller copies can be offered', async () => {
  const form = new FormData();
  const sizes = { 'photo.gif': 1_000, 'large.gif': 11_000_000 };
  for (const [name, bytes] of Object.entries(sizes)) form.append('files', createGif(name, bytes));
  form.append('files', createGif('film.gif', 11_000_000, 2));
  form.append('files', new File(['<svg>'.padEnd(11_000_000)], 'map.svg'));

  const request = new Request(`${ORIGIN}/share`, { method: 'POST', body: form });
  const { headers } = await receiveShare(request);
  const { searchParams } = new URL(headers.get('location') ?? '', ORIGIN);
  const id = searchParams.get(SHARE_ID_PARAM) ?? '';
  const content = await createSharedContentStore().read(id, 'Alice');
  expect(content?.images.map(({ name, size, type }) => [name, size, type])).toEqual([
    ['photo.gif', 1_000, 'image/gif'],
    ['large.gif', 11_000_000, 'image/gif'],
  ]);
  expect(content?.refused).toEqual(
    ['film.gif', 'map.svg'].map((name) => ({ name, reason: 'size' })),
  );
});
