import { generate } from 'lean-qr';

/** The light margin around a QR code, which scanners need. In modules. */
const QUIET_ZONE = 4;

/** A QR code as the path of an SVG image. */
interface QrPath {
  /** Width and height of the image in modules, including the margin. */
  size: number;
  /** The outlines of the dark modules. */
  path: string;
}

/** Encodes a text as a QR code. */
export function createQrPath(text: string): QrPath {
  const code = generate(text);
  const path: string[] = [];
  for (let y = 0; y < code.size; y++) {
    for (let x = 0; x < code.size; x++) {
      if (!code.get(x, y)) continue;
      const start = x;
      while (code.get(x + 1, y)) x++;
      path.push(
        `M${start + QUIET_ZONE} ${y + QUIET_ZONE}h${x + 1 - start}v1H${start + QUIET_ZONE}z`,
      );
    }
  }
  return { size: code.size + 2 * QUIET_ZONE, path: path.join('') };
}
