import type { Browser } from 'playwright';
import type { TestFile } from '../../src/support/files.ts';

const WIDTH = 960;
const HEIGHT = 640;

/** Draws a lake at sunset, a sample image that can be published. */
export async function createSampleImage(browser: Browser): Promise<TestFile> {
  const page = await browser.newPage();
  const bytes = await page.evaluate(paint, { width: WIDTH, height: HEIGHT });
  await page.close();
  return { name: 'lake.png', mimeType: 'image/png', buffer: Buffer.from(bytes, 'base64') };
}

function paint({ width, height }: { width: number; height: number }): string {
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  const brush = canvas.getContext('2d');
  if (brush === null) throw new Error('no canvas');
  const shore = height * 0.62;
  const sun = { x: width * 0.64, y: shore - 74 };

  const wash = (top: number, bottom: number, colors: readonly string[]) => {
    const gradient = brush.createLinearGradient(0, top, 0, bottom);
    colors.forEach((color, i) => gradient.addColorStop(i / (colors.length - 1), color));
    brush.fillStyle = gradient;
    brush.fillRect(0, top, width, bottom - top);
  };
  const ridge = (base: number, rise: number, pace: number, shift: number, color: string) => {
    brush.fillStyle = color;
    brush.beginPath();
    brush.moveTo(0, shore);
    for (let x = 0; x <= width; x += 6) {
      const wave = Math.sin(x / pace + shift) + Math.sin(x / (pace / 2.7) + shift * 2) / 3;
      brush.lineTo(x, base - rise * wave);
    }
    brush.lineTo(width, shore);
    brush.fill();
  };

  wash(0, shore, ['#31476f', '#8c6f96', '#e79a80', '#fbd08d']);
  const glow = brush.createRadialGradient(sun.x, sun.y, 20, sun.x, sun.y, 260);
  glow.addColorStop(0, 'rgba(255, 244, 205, 0.95)');
  glow.addColorStop(0.2, 'rgba(255, 219, 150, 0.5)');
  glow.addColorStop(1, 'rgba(255, 200, 140, 0)');
  brush.fillStyle = glow;
  brush.fillRect(0, 0, width, shore);
  brush.fillStyle = '#fff3d0';
  brush.beginPath();
  brush.arc(sun.x, sun.y, 40, 0, Math.PI * 2);
  brush.fill();
  ridge(shore - 84, 46, 150, 0.6, '#7d6a92');
  ridge(shore - 46, 34, 105, 2.1, '#55527f');
  ridge(shore - 18, 16, 62, 4, '#343b61');
  wash(shore, height, ['#f2b98a', '#a7778f', '#3d4d78', '#263556']);
  for (let i = 0; i < 46; i++) {
    const y = shore + 5 + i * 5;
    const length = (30 + i * 3.4) * (0.6 + 0.4 * Math.abs(Math.sin(i * 2.3)));
    brush.fillStyle = `rgba(255, 232, 180, ${0.7 - i * 0.014})`;
    brush.fillRect(sun.x - length / 2 + Math.sin(i * 1.7) * 12, y, length, 2.2);
  }
  const boat = { x: width * 0.3, y: shore + 96 };
  brush.fillStyle = '#1d2440';
  brush.beginPath();
  brush.moveTo(boat.x - 56, boat.y);
  brush.quadraticCurveTo(boat.x, boat.y + 40, boat.x + 62, boat.y - 4);
  brush.fill();
  brush.fillRect(boat.x - 2, boat.y - 112, 4, 114);
  brush.fillStyle = '#fbe7c6';
  brush.beginPath();
  brush.moveTo(boat.x + 5, boat.y - 110);
  brush.quadraticCurveTo(boat.x + 62, boat.y - 52, boat.x + 56, boat.y - 14);
  brush.lineTo(boat.x + 5, boat.y - 10);
  brush.fill();
  return canvas.toDataURL('image/png').split(',')[1] ?? '';
}
