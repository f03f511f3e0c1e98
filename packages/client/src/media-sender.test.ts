import { beforeEach, expect, test } from 'vitest';
import { ApiError, createApiClient } from './api/client.ts';
import { createHeadlessPlatform } from './headless-platform.ts';
import { createMediaSender, type MediaSender, type UploadMedia } from './media-sender.ts';
import { createClientStores, type ClientStores } from './stores/client-stores.ts';
import { draftsAt, mediaDraftKey } from './stores/media-drafts.ts';

const KEY = mediaDraftKey('image', 'room');

let stores: ClientStores;
let sender: MediaSender;
let uploads: string[];
let sent: string[];
/** What happens while a file is uploaded. */
let onUpload: (fileName: string) => void | Promise<void>;

const names = () => draftsAt(stores.mediaDrafts.getState(), KEY).map(({ fileName }) => fileName);
const discard = (fileName: string): void => {
  const drafts = draftsAt(stores.mediaDrafts.getState(), KEY);
  stores.mediaDrafts
    .getState()
    .discard(KEY, drafts.find((each) => each.fileName === fileName)?.file);
};

function keep(...fileNames: string[]): void {
  for (const name of fileNames) stores.mediaDrafts.getState().add(KEY, new Blob([name]), name);
}

/** Puts the room in memory; its partner may be gone. */
function open(partnerName: string): void {
  stores.rooms.getState().setEntry('room', {
    status: 'ready',
    isLoadingOlder: false,
    room: {
      id: 'room',
      partnerName,
      currentUsername: 'Ada',
      messages: [],
      hasMore: false,
      rev: 0,
      readSeq: 0,
      unread: 0,
      gone: new Map(),
    },
  });
}

beforeEach(() => {
  uploads = [];
  sent = [];
  onUpload = () => undefined;
  stores = createClientStores(createHeadlessPlatform(), 'Ada', Promise.resolve(undefined));
  const upload: UploadMedia = async (_api, _kind, _file, fileName, { signal } = {}) => {
    uploads.push(fileName);
    await onUpload(fileName);
    signal?.throwIfAborted();
    return { url: `/media/${fileName}` };
  };
  sender = createMediaSender({
    api: createApiClient({ origin: 'http://localhost' }),
    stores,
    upload,
    onUploaded: (_chatroomId, url) => sent.push(url),
  });
});

test('pictures go out one after the other, in order, and those that come later wait', async () => {
  keep('a.png', 'b.png');
  onUpload = (fileName) => {
    if (fileName === 'a.png') keep('later.png');
  };
  await sender.send('image', 'room');
  expect(sent).toEqual(['/media/a.png', '/media/b.png']);
  expect(names()).toEqual(['later.png']);
});

test('what is sent while others are on their way follows them', async () => {
  keep('a.png');
  onUpload = async (fileName) => {
    if (fileName !== 'a.png') return;
    keep('b.png');
    await sender.send('image', 'room');
  };
  await sender.send('image', 'room');
  expect(sent).toEqual(['/media/a.png', '/media/b.png']);
  expect(uploads).toEqual(['a.png', 'b.png']);
});

test('where one fails, it and those behind it stay, and can be sent again', async () => {
  keep('a.png', 'b.png', 'c.png');
  onUpload = (fileName) => {
    if (fileName === 'b.png') throw new ApiError('too_large', 413, 'no');
  };
  await expect(sender.send('image', 'room')).rejects.toMatchObject({ code: 'too_large' });
  expect(sent).toEqual(['/media/a.png']);
  expect(names()).toEqual(['b.png', 'c.png']);
  onUpload = () => undefined;
  await sender.send('image', 'room');
  expect(sent).toEqual(['/media/a.png', '/media/b.png', '/media/c.png']);
});

test('a picture that is discarded on its way is not sent, and the others are', async () => {
  keep('a.png', 'b.png');
  onUpload = (fileName) => {
    if (fileName === 'a.png') discard('a.png');
  };
  await sender.send('image', 'room');
  expect(sent).toEqual(['/media/b.png']);
  expect(names()).toEqual([]);
});

test('where the account of the partner is deleted meanwhile, the rest goes nowhere', async () => {
  open('Bob');
  keep('a.png', 'b.png', 'c.png');
  onUpload = (fileName) => {
    if (fileName === 'b.png') open('');
  };
  await expect(sender.send('image', 'room')).rejects.toMatchObject({ code: 'partner_deleted' });
  expect(sent).toEqual(['/media/a.png']);
  expect(uploads).toEqual(['a.png', 'b.png']);
  expect(names()).toEqual([]);
});
