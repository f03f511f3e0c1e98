import { MalformedFile, type ByteSource } from './byte-source.ts';
import type { Contents, MediaFormat } from './media-format.ts';
import { Pieces } from './pieces.ts';

const NAMESPACE = 'http://www.w3.org/2000/svg';

/** The root element comes this early, or it is taken for no picture. */
const HEAD = 64 * 1024;

const TAG_MAX = 8 * 1024;

/** What may stand before the root element: declaration, instructions, comments, document type. */
const PROLOG =
  /^\uFEFF?(?:\s+|<\?[\s\S]*?\?>|<!--[\s\S]*?-->|<!DOCTYPE\s[^[>]*(?:\[[^\]]*\]\s*)?>)*/;
const ROOT = /^<(?:[\w-]+:)?svg(?=[\s/>])((?:[^>"']|"[^"]*"|'[^']*')*)>/;
// Looked for at the beginning of a name only: a long one is not tried again from each of its letters.
const ATTRIBUTE = /(?<![\w:-])([\w:-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;
// Each digit can be read in one way only: anything else tries thousands of them a million times.
const LENGTH = /^\s*(\d+(?:\.\d+)?|\.\d+)(?:px)?\s*$/;

/** SVG. It is kept as it is: a sandbox is what makes it harmless, see the route that sends it. */
export const svg: MediaFormat = {
  kind: 'image',
  mime: 'image/svg+xml',
  ending: 'svg',
  // Whatever else begins with a tag fails in `read`.
  matches: (head) => /^(?:\uFEFF)?\s*<[?!\w]/.test(head.toString('utf8')),
  read,
};

async function read(source: ByteSource): Promise<Contents> {
  const text = (await source.upTo(0, HEAD)).toString('utf8');
  if (text.includes('\0')) throw new MalformedFile('no text');
  const prolog = PROLOG.exec(text)?.[0] ?? '';
  const root = ROOT.exec(text.slice(prolog.length));
  if (root === null || root[0].length > TAG_MAX) throw new MalformedFile('no svg element');
  const attributes = new Map(
    Array.from((root[1] ?? '').matchAll(ATTRIBUTE), (m) => [m[1], m[2] ?? m[3] ?? '']),
  );
  // Browsers draw nothing without it.
  const isSvg = Array.from(attributes).some(
    ([name, value]) => /^xmlns(?::|$)/.test(name ?? '') && value === NAMESPACE,
  );
  if (!isSvg) throw new MalformedFile('no svg namespace');

  const pieces = new Pieces();
  pieces.keep(0, source.size);
  return { ...size(attributes.get('width'), attributes.get('height')), pieces };
}

function size(width = '', height = ''): { width?: number; height?: number } {
  const w = Math.round(Number(LENGTH.exec(width)?.[1]));
  const h = Math.round(Number(LENGTH.exec(height)?.[1]));
  return w > 0 && h > 0 ? { width: w, height: h } : {};
}
