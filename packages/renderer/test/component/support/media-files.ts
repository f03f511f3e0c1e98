import { endpointPath } from '@parley/contract';
import type { MemoryServer } from '@parley/memory-server';
import { expect } from 'vitest';
import { actAs } from './act-as.ts';

/** Samples of a recording in a second. */
const SAMPLE_RATE = 8_000;

/** Bytes of a WAV before its samples. */
const WAV_HEADER = 44;

/** Draws an image with one color. */
const PAINTER = `onmessage = async ({ data: { width, height, color, type } }) => {
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext('2d', { willReadFrequently: true });
  context.fillStyle = color;
  context.fillRect(0, 0, width, height);
  postMessage(await canvas.convertToBlob({ type }));
};`;

/**
 * Creates an image with one color, a PNG by default. Drawn by a worker, as Chromium encodes images of a page only while
 * the page is idle or after a second.
 */
export async function createImageFile(
  width: number,
  height: number,
  name = 'picture.png',
  color = 'royalblue',
  type = 'image/png',
): Promise<File> {
  const painter = new Worker(`data:text/javascript,${encodeURIComponent(PAINTER)}`);
  try {
    const painted = new Promise<Blob>((resolve, reject) => {
      painter.addEventListener('message', ({ data }: MessageEvent<Blob>) => resolve(data));
      painter.addEventListener('error', reject);
    });
    painter.postMessage({ width, height, color, type }, []);
    return new File([await painted], name, { type });
  } finally {
    painter.terminate();
  }
}

/** Creates a BMP with one color. */
export function createBmpFile(width: number, height: number, name = 'picture.bmp'): File {
  const header = 54;
  // Four bytes for each pixel, of which the last one is unused.
  const view = new DataView(new ArrayBuffer(header + width * height * 4));
  new TextEncoder().encodeInto('BM', new Uint8Array(view.buffer));
  view.setUint32(2, view.byteLength, true);
  view.setUint32(10, header, true);
  view.setUint32(14, header - 14, true);
  view.setInt32(18, width, true);
  view.setInt32(22, height, true);
  view.setUint16(26, 1, true);
  view.setUint16(28, 32, true);
  return new File([view.buffer], name, { type: 'image/bmp' });
}

/** Creates a silent WAV. */
export function createRecordingFile(seconds: number, name = 'voice.wav'): File {
  const size = Math.round(seconds * SAMPLE_RATE) * 2;
  const view = new DataView(new ArrayBuffer(WAV_HEADER + size));
  const write = (at: number, text: string) => {
    new TextEncoder().encodeInto(text, new Uint8Array(view.buffer, at));
  };
  write(0, 'RIFF');
  view.setUint32(4, WAV_HEADER + size - 8, true);
  write(8, 'WAVEfmt ');
  view.setUint32(16, 16, true);
  // PCM, one channel.
  view.setUint16(20, 1, true);
  view.setUint16(22, 1, true);
  view.setUint32(24, SAMPLE_RATE, true);
  view.setUint32(28, SAMPLE_RATE * 2, true);
  view.setUint16(32, 2, true);
  view.setUint16(34, 16, true);
  write(36, 'data');
  view.setUint32(40, size, true);
  return new File([view.buffer], name, { type: 'audio/wav' });
}

/** Uploads an image or a recording and sends it as a user, in an album if one is given. */
export async function sendMediaAs(
  server: MemoryServer,
  username: string,
  chatroom: string,
  file: File,
  album: { albumId?: string } = {},
): Promise<void> {
  const isImage = file.type.startsWith('image/');
  const form = new FormData();
  form.append(isImage ? 'image' : 'audio', file);
  const path = endpointPath(isImage ? 'uploadImage' : 'uploadAudio');
  const { fetch } = server.openBrowser(username);
  const response = await fetch(server.origin + path, { method: 'POST', body: form });
  expect(response.status).toBe(201);
  const { url: content } = (await response.json()) as { url: string };
  const body = { chatroom, content, clientId: crypto.randomUUID(), ...album };
  await actAs(server, username).call('sendMessage', { body });
}
