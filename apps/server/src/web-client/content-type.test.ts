import { expect, test } from 'vitest';
import { contentType } from './content-type.ts';

test.each([
  ['/index.html', 'text/html; charset=utf-8'],
  ['/assets/main.js', 'text/javascript; charset=utf-8'],
  ['/assets/main.css', 'text/css; charset=utf-8'],
  ['/data.json', 'application/json; charset=utf-8'],
  ['/manifest.webmanifest', 'application/manifest+json; charset=utf-8'],
  ['/favicon.svg', 'image/svg+xml; charset=utf-8'],
  ['/robots.txt', 'text/plain; charset=utf-8'],
  ['/README.md', 'text/markdown; charset=utf-8'],
  ['/icon.png', 'image/png'],
  ['/picture.jpg', 'image/jpeg'],
  ['/picture.webp', 'image/webp'],
  ['/font.woff2', 'font/woff2'],
  ['/sound.mp3', 'audio/mpeg'],
  ['/sound.ogg', 'audio/ogg'],
  ['/sound.wav', 'audio/wav'],
])('returns the type of %s: %s', (name, type) => {
  expect(contentType(name)).toBe(type);
});

test('returns undefined for an unknown extension', () => {
  expect(contentType('/data.unknown')).toBeUndefined();
});
