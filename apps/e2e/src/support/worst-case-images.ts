import { encodePng } from '@parley/testing';
import type { TestFile } from './files.ts';

const svg = (name: string, content: string): TestFile => ({
  name,
  mimeType: 'image/svg+xml',
  buffer: Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1000 1000" width="1000" height="1000">${content}</svg>`,
  ),
});

const GRADIENT =
  '<linearGradient id="g"><stop stop-color="red"/><stop offset="1" stop-color="blue"/></linearGradient>';

/** Four levels with nine references each, which make 6,561 rectangles. */
const NESTED = `<defs><rect id="u0" width=".5" height="900"/>${[1, 2, 3, 4]
  .map((i) => `<g id="u${i}">${`<use href="#u${i - 1}" x="${i}"/>`.repeat(9)}</g>`)
  .join('')}</defs><use href="#u4"/>`;

/** Creates images that are about as expensive to show as the server accepts, each for a different reason. */
export function worstCaseImages(): TestFile[] {
  return [
    svg(
      'layers.svg',
      `${GRADIENT}${'<rect width="1000" height="1000" fill="url(#g)" opacity=".5"/>'.repeat(160)}`,
    ),
    svg('elements.svg', NESTED),
    svg('points.svg', `<path fill-rule="evenodd" d="M0 0${'l9 8l-8 1'.repeat(120_000)}"/>`),
    svg('dashes.svg', '<path stroke="red" stroke-dasharray=".01 .01" d="M0 9H990"/>'),
    svg('text.svg', `<text y="20" font-size="3">${'ÄgW'.repeat(6_000)}</text>`),
    svg(
      'filters.svg',
      `<filter id="f">${'<feGaussianBlur stdDeviation="90"/>'.repeat(20)}</filter>${'<circle cx="500" cy="500" r="400" filter="url(#f)"/>'.repeat(10)}`,
    ),
    grayPng(7_000, 7_000),
    movingGif(2_000, 2_000, 200, 40),
  ];
}

/** Creates a PNG whose data is as small as the server accepts for its dimensions. */
function grayPng(width: number, height: number): TestFile {
  const rows = Buffer.alloc(height * (width + 1));
  // Adds enough noise, as the server rejects a huge image with almost no data.
  for (let i = 0, noise = 1; i < 1_000_000; i += 1) {
    noise = (Math.imul(noise, 1_103_515_245) + 12_345) >>> 0;
    if (i % (width + 1) !== 0) rows[i] = noise >>> 24;
  }
  const buffer = encodePng(width, height, 'gray', rows);
  return { name: 'huge.png', mimeType: 'image/png', buffer };
}

/**
 * Creates a GIF whose frames have one pixel.
 * @param delay milliseconds
 */
function movingGif(width: number, height: number, frames: number, delay: number): TestFile {
  const screen = Buffer.from('47494638396100000000800000000000ffffff', 'hex');
  screen.writeUInt16LE(width, 6);
  screen.writeUInt16LE(height, 8);
  const frame = Buffer.from('21f90400000000002c0000000001000100000202440100', 'hex');
  frame.writeUInt16LE(delay / 10, 4);
  const buffer = Buffer.concat([
    screen,
    ...Array.from({ length: frames }, () => frame),
    Buffer.from([0x3b]),
  ]);
  return { name: 'moving.gif', mimeType: 'image/gif', buffer };
}
