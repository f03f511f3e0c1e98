import { createHash } from 'node:crypto';
import * as bottts from '@dicebear/bottts';
import { createAvatar } from '@dicebear/core';
import { usernameKey } from '@parley/contract';

/** A robot, as an SVG document. */
export interface Avatar {
  svg: string;
  /** Strong entity tag, quotes included. */
  etag: string;
}

/** Draws the robot of a name: the same one for every way to write it, ever. Costs about 50 µs. */
export function drawAvatar(name: string): Avatar {
  const svg = createAvatar(bottts, { seed: usernameKey(name) }).toString();
  const etag = `"${createHash('sha256').update(svg).digest('base64url').slice(0, 22)}"`;
  return { svg, etag };
}
