import { encodePng } from '@parley/testing';
import type { TestFile } from './files.ts';

/** Creates images that are about as expensive to show as the server accepts, each for a different reason. */
export function worstCaseImages(): TestFile[] {
  return [grayPng(6_500, 6_600), movingGif(2_000, 2_000, 200, 40)];
}

/** Creates a black PNG, whose size in bytes says nothing about its dimensions. */
function grayPng(width: number, height: number): TestFile {
  const rows = Buffer.alloc(height * (width + 1));
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
