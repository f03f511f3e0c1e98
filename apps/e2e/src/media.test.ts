import { deflateSync } from 'node:zlib';
import type { Page } from 'playwright/test';
import { chatRow, messages, startChat } from './support/chat.ts';
import { arrive } from './support/person.ts';
import { expect, test } from './support/test.ts';

// Each starts a server and two browsers of its own.
test.describe.configure({ timeout: 180_000 });

/** A plain picture: PNG, RGB, one colour. */
function png(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2], 8);
  const row = Buffer.concat([Buffer.from([0]), Buffer.alloc(width * 3, 0x7f)]);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.concat(Array.from({ length: height }, () => row)))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** A part of a PNG: its length, name, bytes and checksum. */
function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data]);
  const frame = Buffer.alloc(8 + body.length);
  frame.writeUInt32BE(data.length, 0);
  body.copy(frame, 4);
  frame.writeUInt32BE(crc32(body), 4 + body.length);
  return frame;
}

function crc32(data: Buffer): number {
  let crc = ~0;
  for (const byte of data) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc >>> 0;
}

const box = (page: Page) => page.getByRole('textbox', { name: 'Message' });

test('a picture is shown at its final size, opens large, and only Delete is offered', async ({
  server,
  newPage,
}) => {
  const [alice, bob] = [await newPage(), await newPage()];
  await arrive(alice, server, 'Alice');
  await arrive(bob, server, 'Bob');
  await startChat(alice, 'Bob', 'Look:');

  const file = { name: 'wide.png', mimeType: 'image/png', buffer: png(680, 340) };
  await alice.locator('input[type=file]').setInputFiles(file);
  await expect(alice.getByText('wide.png')).toBeVisible();
  await alice.getByRole('button', { name: 'Send image' }).click();
  await expect(alice.getByText('wide.png')).toHaveCount(0);
  await expect(chatRow(bob, 'Alice')).toContainText('Sent an image');

  await chatRow(bob, 'Alice').click();
  const picture = bob.getByRole('img', { name: 'Image from Alice' });
  await expect(picture).toBeVisible();
  expect(await picture.boundingBox()).toMatchObject({ width: 340, height: 170 });
  await bob.getByRole('button', { name: /Open image/ }).click();
  await expect(bob.getByRole('dialog')).toBeVisible();
  await bob.keyboard.press('+');
  await bob.keyboard.press('Escape');
  await expect(bob.getByRole('dialog')).toHaveCount(0);

  const own = alice.getByRole('article').last();
  await expect(own.getByRole('button', { name: 'Edit' })).toHaveCount(0);
  await expect(own.getByRole('button', { name: 'Delete' })).toHaveCount(1);

  await alice.locator('input[type=file]').setInputFiles({
    name: 'not.png',
    mimeType: 'image/png',
    buffer: Buffer.from('not a picture at all'),
  });
  await alice.getByRole('button', { name: 'Send image' }).click();
  await expect(alice.getByText('This is not an image that can be sent.')).toBeVisible();
  await expect(alice.getByText('not.png')).toBeVisible();
});

test('a voice message is recorded, heard, sent and played', async ({ server, newPage }) => {
  const [alice, bob] = [await newPage(), await newPage()];
  await arrive(alice, server, 'Alice');
  await arrive(bob, server, 'Bob');
  await startChat(alice, 'Bob', 'Listen:');

  const record = alice.getByRole('button', { name: 'Record a voice message' });
  await record.click();
  await expect(alice.getByText('0:01', { exact: true })).toBeVisible();
  await alice.getByRole('button', { name: 'Discard recording' }).click();
  await expect(box(alice)).toBeVisible();

  await record.click();
  await expect(alice.getByText('0:01', { exact: true })).toBeVisible();
  await alice.getByRole('button', { name: 'Pause' }).click();
  await alice.getByRole('button', { name: 'Go on recording' }).click();
  await alice.getByRole('button', { name: 'Stop recording' }).click();
  await alice.getByRole('button', { name: 'Play' }).click();
  await alice.route('**/api/upload/audio', (route) => route.abort(), { times: 1 });
  await alice.getByRole('button', { name: 'Send voice message' }).click();
  await expect(alice.getByText('Error uploading the audio file.')).toBeVisible();
  await alice.getByRole('button', { name: 'Send voice message' }).click();

  await expect(chatRow(bob, 'Alice')).toContainText('Sent an audio message');
  await chatRow(bob, 'Alice').click();
  const player = bob.getByRole('group', { name: 'Voice message from Alice' });
  await player.getByRole('button', { name: 'Speed 1×' }).click();
  await expect(player.getByRole('button', { name: 'Speed 1.5×' })).toBeVisible();
  await player.getByRole('button', { name: 'Play' }).click();
  await expect(player.getByRole('slider')).not.toHaveValue('0');
});

test('emoji go in at the cursor, the flag is a picture, and a text of emoji is large', async ({
  server,
  newPage,
}) => {
  const [alice, bob] = [await newPage(), await newPage()];
  await arrive(alice, server, 'Alice');
  await arrive(bob, server, 'Bob');
  await startChat(alice, 'Bob', 'ab');
  await chatRow(bob, 'Alice').click();

  await box(alice).fill('ab');
  await box(alice).press('ArrowLeft');
  await alice.getByRole('button', { name: 'Emoji' }).click();
  const popup = alice.getByRole('dialog', { name: 'Emoji' });
  await popup.getByRole('button', { name: '👍', exact: true }).click();
  await expect(box(alice)).toHaveValue('a👍b');
  await popup.getByRole('button', { name: 'Circassian flag' }).first().click();
  await expect(box(alice)).toHaveValue('a👍:circassia:b');
  await popup.getByRole('gridcell', { name: 'grinning face', exact: true }).click();
  await expect(box(alice)).toHaveValue('a👍:circassia:😀b');
  await alice.keyboard.press('Escape');
  await box(alice).press('Enter');
  await expect(messages(bob).getByRole('img', { name: 'Circassian flag' })).toBeVisible();
  await expect(chatRow(bob, 'Alice').getByRole('img', { name: 'Circassian flag' })).toBeVisible();

  await alice.setViewportSize({ width: 800, height: 700 });
  await expect(alice.getByRole('button', { name: 'Emoji' })).toHaveCount(0);
  await box(alice).fill('two');
  await box(alice).press('Enter');
  await expect(box(alice)).toHaveValue('two\n');
});
