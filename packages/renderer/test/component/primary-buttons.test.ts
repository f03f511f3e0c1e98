import { createTranslator } from '@parley/texts/translator';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { createServerWith } from './support/act-as.ts';
import { emulateDevice } from './support/media-emulation.ts';
import { openApp } from './support/open-app.ts';

const t = createTranslator('en');
const heading = page.getByRole('heading', { level: 1 });
const primaryButtons = () => page.getByCss('[class*=_primary_]');

/** Returns the sRGB values of a computed color, over another one if it is transparent. */
function toRgb(color: string): readonly number[] {
  const context = new OffscreenCanvas(1, 1).getContext('2d');
  if (!context) throw new Error('the browser has no canvas');
  context.fillStyle = color;
  context.fillRect(0, 0, 1, 1);
  return [...context.getImageData(0, 0, 1, 1).data];
}

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = toRgb(color).map((value) => {
    const part = value / 255;
    return part <= 0.040_45 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Returns the WCAG 2 contrast ratio of two computed colors. */
function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

/** Returns the color that an element is on. */
function findSurface(element: Element): string {
  for (let { parentElement: parent } = element; parent; { parentElement: parent } = parent) {
    const { backgroundColor } = getComputedStyle(parent);
    if (toRgb(backgroundColor)[3] === 255) return backgroundColor;
  }
  return getComputedStyle(document.documentElement).backgroundColor;
}

test('every screen has at most one primary button, which is that of its main action', async () => {
  const { reload } = await openApp({ viewport: { width: 390, height: 740 } });
  for (const [path, title, action] of [
    ['/', 'login.title', 'login.submit'],
    ['/register', 'register.title', 'register.submit'],
    ['/register/verify', 'verify.title', 'verify.submit'],
    ['/forgot-pw', 'forgot.title', 'forgot.submit'],
    ['/new-pw', 'newPassword.title', 'newPassword.submit'],
    ['/email-restore', 'restoreEmail.title', 'restoreEmail.submit'],
    ['/account-deleted', 'deletedAccount.title', 'deletedAccount.toLogin'],
    ['/nowhere', 'notFound.title', 'notFound.back'],
    ['/privacy', 'privacy.title', undefined],
  ] as const) {
    await reload(path);
    await expect.element(heading).toMatchTextContent(t(title));
    const labels = primaryButtons()
      .elements()
      .map(({ textContent }) => textContent);
    expect(labels, path).toEqual(action === undefined ? [] : [t(action)]);
  }
});

test('a screen for users has at most one primary button', async () => {
  const server = createServerWith(['Alice', 'Bob']);
  const { reload } = await openApp({ server, user: 'Bob' });
  for (const [path, title, action] of [
    ['/profile', 'profile.title', undefined],
    ['/settings', 'settings.title', undefined],
    ['/chatarea/exist', 'findUser.title', 'findUser.submit'],
  ] as const) {
    await reload(path);
    await expect.element(heading).toHaveTextContent(t(title));
    if (path === '/settings') {
      await expect
        .element(page.getByRole('button', { name: t('settings.changePassword') }))
        .toBeVisible();
    }
    const labels = primaryButtons()
      .elements()
      .map(({ textContent }) => textContent);
    expect(labels, path).toEqual(action === undefined ? [] : [t(action)]);
  }
});

test('a primary button stands out from its surface in both themes, and its text from it', async () => {
  const { reload } = await openApp({ reducedMotion: true });
  for (const colorScheme of ['light', 'dark'] as const) {
    await emulateDevice({ colorScheme, reducedMotion: true });
    for (const path of ['/', '/nowhere', '/account-deleted']) {
      await reload(path);
      await expect.element(primaryButtons()).toBeVisible();
      const button = primaryButtons().element();
      const { color, backgroundColor } = getComputedStyle(button);
      expect(contrast(color, backgroundColor), `${path}, ${colorScheme}`).toBeGreaterThan(4.5);
      expect(contrast(backgroundColor, findSurface(button))).toBeGreaterThan(3);
      const [red = 0, , blue = 0] = toRgb(backgroundColor);
      expect(blue).toBeGreaterThan(red + 100);
    }
  }
});

test('a primary button is filled in forced colors, too', async () => {
  await openApp({ forcedColors: true });
  const register = page.getByRole('link', { name: t('login.notRegistered') });
  await expect.element(primaryButtons()).toBeVisible();
  const { color, backgroundColor } = getComputedStyle(primaryButtons().element());
  expect(backgroundColor).not.toBe(getComputedStyle(register.element()).backgroundColor);
  expect(contrast(color, backgroundColor)).toBeGreaterThan(4.5);
});
