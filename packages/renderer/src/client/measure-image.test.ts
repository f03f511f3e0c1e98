import { expect, test } from 'vitest';
import { measureImage } from './measure-image.ts';

const svg = (attributes: string) =>
  new Blob(
    [`<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg" ${attributes}><g/></svg>`],
    {
      type: 'image/svg+xml',
    },
  );

test.each([
  ['a view box', 'viewBox="0 0 90 30"', { width: 1_024, height: 341 }],
  ['width and height', `width='20px' height="40"`, { width: 512, height: 1_024 }],
  [
    'a single side, of which only the view box counts',
    'width="20" viewBox="0,0,1,1"',
    { width: 1_024, height: 1_024 },
  ],
  [
    'shares of the page, but a view box',
    'width="100%" height="100%" viewBox="0 0 2 1"',
    { width: 1_024, height: 512 },
  ],
  ['no size', '', undefined],
  ['a size of 0', 'width="0" height="0"', undefined],
])('measures an SVG with %s', async (_, attributes, size) => {
  expect(await measureImage(svg(attributes))).toEqual(size);
});

test('measures a PNG, and no file that is none of the known formats', async () => {
  const header = new DataView(new ArrayBuffer(60));
  header.setUint32(0, 0x89504e47);
  header.setUint32(16, 300);
  header.setUint32(20, 200);
  const png = new Blob([header.buffer], { type: 'image/png' });
  expect(await measureImage(png)).toEqual({ width: 300, height: 200 });
  expect(await measureImage(new Blob(['text'], { type: 'image/png' }))).toBeUndefined();
});
