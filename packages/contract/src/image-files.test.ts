import { expect, test } from 'vitest';
import { checkImageFile } from './image-files.ts';
import { LIMITS } from './limits.ts';

const PNG = '\x89PNG\r\n\x1a\n\0\0\0\rIHDR';
const SVG = '<svg xmlns="http://www.w3.org/2000/svg"/>';

const fileOf = (bytes: string, type = '') => ({
  type,
  size: bytes.length,
  slice: (start: number, end: number) => ({
    arrayBuffer: async () =>
      Uint8Array.from(bytes.slice(start, end), (character) => character.charCodeAt(0)).buffer,
  }),
});

test.each([
  ['a PNG', fileOf(PNG, 'image/png'), 'image/png'],
  ['a JPEG without an extension', fileOf('\xff\xd8\xff\xe0\0\x10JFIF'), 'image/jpeg'],
  ['a GIF without an extension', fileOf('GIF89a\x01\0\x01\0'), 'image/gif'],
  [
    'a WebP that is named like a document',
    fileOf('RIFF\x1a\0\0\0WEBPVP8L', 'text/plain'),
    'image/webp',
  ],
  ['a BMP of an older Android device', fileOf('BM\x3a\0\0\0', 'image/x-ms-bmp'), 'image/bmp'],
  ['a PNG that is named like a JPEG', fileOf(PNG, 'image/jpeg'), 'image/png'],
  ['an SVG without an extension', fileOf(SVG), 'image/svg+xml'],
  [
    'an SVG after a declaration, a comment and a document type with entities',
    fileOf(
      `\xef\xbb\xbf<?xml version="1.0"?>\n<!-- a > b -->\n<!DOCTYPE svg [<!ENTITY a "b">]>\n${SVG}`,
    ),
    'image/svg+xml',
  ],
  [
    'an SVG with a prefix',
    fileOf('<s:svg xmlns:s="http://www.w3.org/2000/svg"/>'),
    'image/svg+xml',
  ],
  [
    'an SVG after a long comment',
    fileOf(`<!--${' '.repeat(5_000)}-->${SVG}`, 'image/svg+xml'),
    'image/svg+xml',
  ],
  ['as large a PNG as is allowed', fileOf(PNG.padEnd(LIMITS.imageBytesMax)), 'image/png'],
])('tells the type of %s by its bytes', async (_, file, type) => {
  expect(await checkImageFile(file)).toEqual({ type });
});

test.each([
  ['an empty file', fileOf('', 'image/png'), 'empty'],
  ['a text that is named like a PNG', fileOf('Dear Bob', 'image/png'), 'type'],
  ['a HEIC that is named like a JPEG', fileOf('\0\0\0\x18ftypheic', 'image/jpeg'), 'type'],
  ['a recording', fileOf('RIFF\x24\0\0\0WAVEfmt ', 'audio/wav'), 'type'],
  ['a page with an SVG', fileOf(`<!doctype html><body>${SVG}`), 'type'],
  [
    'a document after a long comment',
    fileOf(`<!--${' '.repeat(5_000)}-->${SVG}`, 'text/xml'),
    'type',
  ],
])('refuses %s', async (_, file, refusal) => {
  expect(await checkImageFile(file)).toEqual({ refusal });
});

test('tells the type of an image that is too large', async () => {
  const file = fileOf(PNG.padEnd(LIMITS.imageBytesMax + 1));
  expect(await checkImageFile(file)).toEqual({ refusal: 'size', type: 'image/png' });
});

test.each([
  ['a folder', '', 'NotFoundError'],
  ['a deleted JPEG', 'image/jpeg', 'NotFoundError'],
  ['a PNG of a cloud folder without a connection', 'image/png', 'NotReadableError'],
])('refuses %s, which cannot be read', async (_, type, name) => {
  const read = () => Promise.reject(Object.assign(new Error('cannot be read'), { name }));
  const file = { type, size: 4096, slice: () => ({ arrayBuffer: read }) };
  expect(await checkImageFile(file)).toEqual({ refusal: 'unreadable' });
});
