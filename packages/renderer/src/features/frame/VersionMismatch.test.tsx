import type { ReactElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { I18nextProvider } from 'react-i18next';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import type { DeviceSettings } from '../../host/host.ts';
import { createI18n } from '../../i18n/i18n.ts';
import { VersionMismatch } from './VersionMismatch.tsx';

const device = {} as DeviceSettings;
const checkForUpdates = () => undefined;

// `createI18n` sets the language on the document's root element.
beforeAll(() => void vi.stubGlobal('document', { documentElement: {} }));

async function render(language: 'en' | 'de', element: ReactElement) {
  const i18n = await createI18n(language);
  const html = renderToStaticMarkup(<I18nextProvider i18n={i18n}>{element}</I18nextProvider>);
  const text = html.replaceAll('&#x27;', "'");
  return { text, buttons: [...text.matchAll(/<button.*?<\/button>/g)].join() };
}

describe('an outdated client', () => {
  test.each([
    ['en', 'Parley was updated', 'Reload the page', 'Reload'],
    ['de', 'Parley wurde aktualisiert', 'Lade die Seite neu', 'Neu laden'],
  ] as const)('offers a reload in the browser (%s)', async (language, title, help, action) => {
    const { text, buttons } = await render(
      language,
      <VersionMismatch outdated="client" host={{}} />,
    );
    expect(text).toContain(title);
    expect(text).toContain(help);
    expect(buttons).toContain(action);
  });

  test.each([
    ['en', 'Update the desktop app', 'Check for updates'],
    ['de', 'Aktualisiere die Desktop-App', 'Nach Updates suchen'],
  ] as const)('offers an update on the desktop (%s)', async (language, help, action) => {
    const host = { device, checkForUpdates };
    const { text, buttons } = await render(
      language,
      <VersionMismatch outdated="client" host={host} />,
    );
    expect(text).toContain(help);
    expect(buttons).toContain(action);
  });

  test('offers a reload on the desktop without support for updates', async () => {
    const { text, buttons } = await render(
      'en',
      <VersionMismatch outdated="client" host={{ device }} />,
    );
    expect(text).toContain('Update the desktop app');
    expect(buttons).toContain('Reload');
  });

  test('states that nothing is lost', async () => {
    for (const host of [{}, { device, checkForUpdates }]) {
      const { text } = await render('en', <VersionMismatch outdated="client" host={host} />);
      expect(text).toContain("Nothing you've written is lost.");
    }
  });
});

test.each([
  ['en', 'This server is too old'],
  ['de', 'Dieser Server ist zu alt'],
] as const)('states that the server is outdated (%s)', async (language, title) => {
  const { text } = await render(language, <VersionMismatch outdated="server" host={{}} />);
  expect(text).toContain(title);
});
