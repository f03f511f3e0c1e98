import type { Client } from '@parley/client';
import { UI } from '@parley/contract';
import { expect, test, vi } from 'vitest';
import type { SharedContent } from '../../host/shared-content.ts';
import { addToDraft } from './add-to-draft.ts';

const CHATROOM = 'room';

function image(name: string): File {
  return new File(['x'], name, { type: 'image/png' });
}

/** Creates a client whose stored draft has a text and a number of unsent images. */
function createDraft(text: string, unsent = 0) {
  // As in the first moment after a start: the stored text is not loaded.
  const drafts: Record<string, string> = {};
  const images: string[] = [];
  const sizes: unknown[] = [];
  const entries = Array.from({ length: unsent }, (_, index) => ({
    clientId: String(index),
    to: { chatroomId: CHATROOM },
    state: 'draft',
    file: { kind: 'image' },
  }));
  const client = {
    outbox: { getState: () => ({ entries }) },
    chosenImages: { getState: () => ({ images: [] }) },
    drafts: {
      getState: () => ({
        drafts,
        append: async (chatroomId: string, added: string) => {
          await Promise.resolve();
          drafts[chatroomId] = text === '' ? added : `${text}\n${added}`;
        },
      }),
    },
    addMedia: (...[, , , name, media]: Parameters<Client['addMedia']>) => {
      images.push(name);
      sizes.push(media);
    },
  };
  return { client: client as unknown as Client, drafts, images, sizes };
}

/** For content without large images. */
const offerCopy = () => Promise.reject(new Error('unexpected offer'));

function share(text: string, names: readonly string[] = []): SharedContent {
  return { id: 'share', text, images: names.map(image), refused: [], refusedMore: 0 };
}

test.each([
  ['', 'Shared', 'Shared'],
  ['Written', 'Shared', 'Written\nShared'],
  ['Written', '', undefined],
])('adds to the draft %o the text %o', async (written, text, expected) => {
  const { client, drafts, images } = createDraft(written);
  const remove = vi.fn(() => Promise.resolve(true));
  const content = share(text, ['a.png', 'b.png']);
  const outcome = await addToDraft({
    client,
    sharedContent: { remove },
    content,
    chatroomId: CHATROOM,
    offerCopy,
  });
  expect(outcome).toBe('added');
  expect(drafts[CHATROOM]).toBe(expected);
  expect(images).toEqual(['a.png', 'b.png']);
  expect(remove).toHaveBeenCalledWith('share');
});

test('tells the size of images, so that their messages have it at once', async () => {
  const { client, sizes } = createDraft('');
  const content = { ...share(''), images: [bitmap('a.bmp', 30, 20), image('unknown.png')] };
  await addToDraft({ client, sharedContent: undefined, content, chatroomId: CHATROOM, offerCopy });
  expect(sizes).toEqual([{ width: 30, height: 20 }, undefined]);
});

/** Creates a BMP, of which only the header is read. */
function bitmap(name: string, width: number, height: number): File {
  const header = new DataView(new ArrayBuffer(54));
  header.setUint16(0, 0x424d);
  header.setUint32(14, 40, true);
  header.setInt32(18, width, true);
  header.setInt32(22, -height, true);
  return new File([header.buffer], name, { type: 'image/bmp' });
}

/** Creates an image of 48 megapixels. */
const largeImage = (name: string): File => bitmap(name, 8_000, 6_000);

test('replaces images that are too large with smaller copies in their places', async () => {
  const { client, images } = createDraft('');
  const remove = vi.fn(() => Promise.resolve(true));
  const large = largeImage('large.bmp');
  const content = { ...share(''), images: [image('a.png'), large, image('b.png')] };
  const offer = vi.fn(() => Promise.resolve(image('small.png')));
  const options = { client, sharedContent: { remove }, content, chatroomId: CHATROOM };
  expect(await addToDraft({ ...options, offerCopy: offer })).toBe('added');
  expect(offer.mock.calls).toMatchObject([[{ megapixels: 48, file: large }]]);
  expect(images).toEqual(['a.png', 'small.png', 'b.png']);
});

test('changes nothing if the user declines smaller copies', async () => {
  const { client, drafts, images } = createDraft('Written');
  const remove = vi.fn(() => Promise.resolve(true));
  const content = { ...share('Shared'), images: [image('a.png'), largeImage('large.bmp')] };
  const options = { client, sharedContent: { remove }, content, chatroomId: CHATROOM };
  const offer = () => Promise.resolve(undefined);
  expect(await addToDraft({ ...options, offerCopy: offer })).toBe('declined');
  expect([drafts, images]).toEqual([{}, []]);
  expect(remove).not.toHaveBeenCalled();
});

test('changes nothing if the draft cannot take all images', async () => {
  const { client, drafts, images } = createDraft('Written', UI.unsentImagesMax - 1);
  const remove = vi.fn(() => Promise.resolve(true));
  const content = share('Shared', ['a.png', 'b.png']);
  const options = {
    client,
    sharedContent: { remove },
    content,
    chatroomId: CHATROOM,
    offerCopy,
  };
  expect(await addToDraft(options)).toBe('full');
  expect([drafts, images]).toEqual([{}, []]);
  expect(remove).not.toHaveBeenCalled();
});

test('adds content only once, even from two windows', async () => {
  const { client, drafts } = createDraft('');
  const remove = vi.fn().mockResolvedValueOnce(true).mockResolvedValueOnce(false);
  const options = {
    client,
    sharedContent: { remove },
    content: share('Shared'),
    chatroomId: CHATROOM,
    offerCopy,
  };
  expect(await addToDraft(options)).toBe('added');
  expect(await addToDraft(options)).toBe('gone');
  expect(drafts[CHATROOM]).toBe('Shared');
});
