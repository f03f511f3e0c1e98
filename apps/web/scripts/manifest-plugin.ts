import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { IMAGE_TYPES } from '@parley/contract';
import { DEFAULT_LANGUAGE, LANGUAGE_CODES, loadTexts, type Language } from '@parley/texts';
import type { HtmlTagDescriptor, Plugin } from 'vite';

const SCREENSHOT_FOLDER = join(import.meta.dirname, '../public/screenshots');
const TYPE = 'application/manifest+json';

/** The screenshots that `npm run screenshots:install` of `apps/e2e` takes. */
const SCREENSHOTS = [
  { name: 'chats', sizes: '720x1280', form_factor: 'narrow', label: 'screenshotChats' },
  { name: 'room', sizes: '720x1280', form_factor: 'narrow', label: 'screenshotRoom' },
  { name: 'wide', sizes: '1280x800', form_factor: 'wide', label: 'screenshotWide' },
] as const;

/**
 * Adds a web app manifest for each language, and a link to them to the page. `first-paint.js` chooses the one in the
 * user's language.
 */
export function webManifest(): Plugin {
  return {
    name: 'parley:web-manifest',
    async generateBundle() {
      for (const language of LANGUAGE_CODES) {
        const source = await createManifest(language);
        this.emitFile({ type: 'asset', fileName: pathOf(language).slice(1), source });
      }
    },
    configureServer(server) {
      for (const language of LANGUAGE_CODES) {
        server.middlewares.use(pathOf(language), (_request, response, next) => {
          createManifest(language).then(
            (manifest) => response.setHeader('content-type', TYPE).end(manifest),
            next,
          );
        });
      }
    },
    transformIndexHtml: (): HtmlTagDescriptor[] => [
      {
        tag: 'link',
        attrs: {
          rel: 'manifest',
          href: pathOf(DEFAULT_LANGUAGE),
          'data-languages': LANGUAGE_CODES.filter((code) => code !== DEFAULT_LANGUAGE).join(' '),
        },
        injectTo: 'head-prepend',
      },
    ],
  };
}

function pathOf(language: Language): string {
  return language === DEFAULT_LANGUAGE
    ? '/manifest.webmanifest'
    : `/manifest.${language}.webmanifest`;
}

/** Returns the manifest in a language as JSON. */
async function createManifest(language: Language): Promise<string> {
  const t = await loadTexts(language, 'manifest');
  const hasScreenshots = existsSync(join(SCREENSHOT_FOLDER, `chats.${language}.webp`));
  const screenshotLanguage = hasScreenshots ? language : DEFAULT_LANGUAGE;
  const icon = (file: string, size: number, purpose: 'any' | 'maskable') => ({
    src: `/${file}.png`,
    sizes: `${size}x${size}`,
    type: 'image/png',
    purpose,
  });
  const shortcut = (name: string, description: string, url: string) => ({
    name,
    description,
    url,
    icons: [icon('icon-192', 192, 'any')],
  });
  return JSON.stringify({
    // The same in all languages, so that they are one app.
    id: '/',
    name: 'Parley',
    short_name: 'Parley',
    description: t.description,
    lang: language,
    dir: 'ltr',
    start_url: '/chatarea',
    scope: '/',
    display: 'standalone',
    orientation: 'any',
    categories: ['social', 'communication'],
    // The light theme's, as browsers without support for `theme-color` elements use it.
    background_color: '#f7f5f3',
    theme_color: '#fdfcfb',
    icons: [
      icon('icon-192', 192, 'any'),
      icon('icon-512', 512, 'any'),
      icon('icon-maskable-512', 512, 'maskable'),
    ],
    shortcuts: [
      shortcut(t.newChat, t.newChatHelp, '/chatarea/exist'),
      shortcut(t.chats, t.chatsHelp, '/chatarea'),
      shortcut(t.settings, t.settingsHelp, '/settings'),
    ],
    screenshots: SCREENSHOTS.map(({ name, sizes, form_factor, label }) => ({
      src: `/screenshots/${name}.${screenshotLanguage}.webp`,
      type: 'image/webp',
      sizes,
      form_factor,
      label: t[label],
    })),
    // Handled by the service worker.
    share_target: {
      action: '/share',
      method: 'POST',
      enctype: 'multipart/form-data',
      params: {
        title: 'title',
        text: 'text',
        url: 'url',
        files: [{ name: 'files', accept: IMAGE_TYPES }],
      },
    },
  });
}
