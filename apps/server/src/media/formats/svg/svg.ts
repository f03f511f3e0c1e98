import { setImmediate as nextTurn } from 'node:timers/promises';
import { MalformedFileError, TooComplexMediaError, type ByteSource } from '../byte-source.ts';
import { UNRECOGNIZED } from '../detect-formats.ts';
import type { Contents, MediaFormat } from '../media-format.ts';
import { Pieces } from '../pieces.ts';
import { createSequence } from '../sequence.ts';
import { assertAffordable, type View } from './budget.ts';
import { cleanEmbeddedImages } from './embedded-images.ts';
import { numbersIn, pixels } from './geometry.ts';
import { isolateTargets } from './isolate-targets.ts';
import { parseSvg, type SvgElement } from './parse-svg.ts';
import { renameTargets } from './references.ts';
import { simplifySvg } from './simplify-svg.ts';
import { writeSvg } from './write-svg.ts';

/** Maximum size of an SVG, which is held in memory while it is read. */
const BYTES_MAX = 4 * 1024 * 1024;

/** Maximum size of the serialized SVG. Resolving style sheets makes it longer. */
const WRITTEN_BYTES_MAX = 2 * BYTES_MAX;

/** Maximum side length in pixels. Larger images are scaled down, which loses nothing. */
const SIDE_MAX = 4_096;

/** The size that browsers use if none is specified. */
const DEFAULT_SIZE = { width: 300, height: 150 };

const runInSequence = createSequence();

/**
 * SVG. It is serialized from the elements that are drawn, so that every program interprets exactly
 * what was checked here, and accepted only if it is cheap to draw.
 */
export const svg: MediaFormat = {
  kind: 'image',
  mime: 'image/svg+xml',
  extension: 'svg',
  detectedAs: ['application/xml', UNRECOGNIZED],
  read: (source) => runInSequence(() => read(source)),
};

async function read(source: ByteSource): Promise<Contents> {
  const head = Buffer.from(await source.bytesUpTo(0, 512)).toString('utf8');
  if (!/^(?:\uFEFF)?\s*<[?!\w]/.test(head)) throw new MalformedFileError('no tag');
  if (source.size > BYTES_MAX) throw new TooComplexMediaError('too large');
  const root = await parseSvg(source);
  // Each step processes the whole tree; yield to the event loop between them.
  await simplifySvg(root);
  await nextTurn();
  const embedded = await cleanEmbeddedImages(root);
  const targets = renameTargets(root);
  isolateTargets(root);
  await nextTurn();
  const { width, height, view } = setSize(root);
  assertAffordable(root, targets, embedded, view);
  await nextTurn();

  const written = writeSvg(root);
  if (written.length > WRITTEN_BYTES_MAX) throw new TooComplexMediaError('too many style rules');
  const pieces = new Pieces();
  pieces.insert(written);
  return { width: atLeastOne(width), height: atLeastOne(height), pieces };
}

/** Sets the size and the view box of the root element, following the rules of browsers. */
function setSize({ attributes }: SvgElement): { width: number; height: number; view: View } {
  const [x = 0, y = 0, boxWidth = 0, boxHeight = 0] = numbersIn(attributes.get('viewBox'));
  const hasBox = boxWidth > 0 && boxHeight > 0;
  const fallback = hasBox ? { width: boxWidth, height: boxHeight } : DEFAULT_SIZE;
  const given = {
    width: parseSideLength(attributes.get('width')),
    height: parseSideLength(attributes.get('height')),
  };
  const ratio = fallback.width / fallback.height;
  const width = given.width ?? (hasBox && given.height ? given.height * ratio : fallback.width);
  const height = given.height ?? (hasBox && given.width ? given.width / ratio : fallback.height);
  const scale = Math.min(1, SIDE_MAX / Math.max(width, height));
  const box = hasBox ? { x, y, width: boxWidth, height: boxHeight } : { x: 0, y: 0, width, height };

  attributes.set('width', `${width * scale}`);
  attributes.set('height', `${height * scale}`);
  attributes.set('viewBox', [box.x, box.y, box.width, box.height].join(' '));
  const aspect = attributes.get('preserveAspectRatio') ?? '';
  const view = viewOf(box, width, height, aspect);
  return { width: width * scale, height: height * scale, view };
}

function parseSideLength(value: string | undefined): number | undefined {
  const length = value === undefined ? undefined : pixels(value);
  return length !== undefined && length > 0 && Number.isFinite(length) ? length : undefined;
}

/** Returns the visible part of the user space: more than the view box if the aspect ratios differ. */
function viewOf(
  box: { x: number; y: number; width: number; height: number },
  width: number,
  height: number,
  aspect: string,
): View {
  const [scaleX, scaleY] = [width / box.width, height / box.height];
  const scale = aspect.endsWith('slice') ? Math.max(scaleX, scaleY) : Math.min(scaleX, scaleY);
  const isStretched = aspect === 'none';
  const seenWidth = isStretched ? box.width : width / scale;
  const seenHeight = isStretched ? box.height : height / scale;
  const extraX = Math.max(0, seenWidth - box.width);
  const extraY = Math.max(0, seenHeight - box.height);
  return {
    bounds: {
      left: box.x - extraX,
      top: box.y - extraY,
      right: box.x + box.width + extraX,
      bottom: box.y + box.height + extraY,
    },
    area: seenWidth * seenHeight,
  };
}

function atLeastOne(length: number): number {
  return Math.max(1, Math.round(length));
}
