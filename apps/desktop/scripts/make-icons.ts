import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { launchOptions } from '@parley/testing/browser';
import { chromium } from 'playwright';

// Draws the app's icons from Parley's logo. Run `npm run icons -w @parley/desktop` after changing it. The images
// are in the repository, so that building needs no browser.

const DESKTOP = join(import.meta.dirname, '..');
const favicon = await readFile(join(DESKTOP, '../web/public/favicon.svg'), 'utf8');

const mark = favicon.replaceAll(/<\/?svg[^>]*>/g, '');
const bubbles = [...favicon.matchAll(/ d="[^"]+"/g)].map(([path]) => `<path${path}/>`).join('');
// macOS colors a template image itself: it uses only its opacity.
const template = `<mask id="m"><rect width="64" height="64" fill="#fff"/><rect x="11" y="18" width="42" height="20" rx="10" fill="#000"/></mask>
  <g mask="url(#m)">${bubbles}</g><circle cx="23" cy="28" r="5"/><circle cx="41" cy="28" r="5"/>`;
const unread = `${mark}<circle cx="50" cy="14" r="14" fill="#fff"/><circle cx="50" cy="14" r="11" fill="oklch(0.58 0.21 27)"/>`;
const app = `<rect x="4" y="4" width="56" height="56" rx="13" fill="oklch(0.985 0.004 80)"/>
  <g transform="translate(12.8 12) scale(0.6)">${mark}</g>`;

// Linux desktops look for icons in a folder per size.
const LINUX_SIZES = [16, 32, 48, 64, 128, 256, 512];

const IMAGES = [
  { file: 'build/icon.png', size: 1024, drawing: app },
  ...LINUX_SIZES.map((size) => ({
    file: `build/icons/${size}x${size}.png`,
    size,
    drawing: app,
  })),
  { file: 'src/main/tray/icons/tray.png', size: 24, drawing: mark },
  { file: 'src/main/tray/icons/tray@2x.png', size: 48, drawing: mark },
  { file: 'src/main/tray/icons/tray-unread.png', size: 24, drawing: unread },
  { file: 'src/main/tray/icons/tray-unread@2x.png', size: 48, drawing: unread },
  { file: 'src/main/tray/icons/tray-template.png', size: 18, drawing: template },
  { file: 'src/main/tray/icons/tray-template@2x.png', size: 36, drawing: template },
  // Android shows only the opacity, too, in the status bar.
  { file: '../web/public/badge-96.png', size: 96, drawing: template },
];

const browser = await chromium.launch(launchOptions(process.env));
const page = await browser.newPage();
for (const { file, size, drawing } of IMAGES) {
  await page.setViewportSize({ width: size, height: size });
  await page.setContent(
    `<style>body{margin:0}svg{display:block}</style><svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64" width="${size}" height="${size}">${drawing}</svg>`,
  );
  const path = join(DESKTOP, file);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, await page.screenshot({ omitBackground: true }));
}
await browser.close();
