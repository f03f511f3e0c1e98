import { createTranslator, TEST_LANGUAGES } from '@parley/texts/translator';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { openApp } from './support/open-app.ts';
import { expectPath } from './support/expect-path.ts';

/** The forms in an order in which each has a link to the next one. */
const STEPS = [
  ['login.notRegistered', '/register', 'register.title'],
  ['register.toLogin', '/', 'login.title'],
  ['login.notVerified', '/register/verify', 'verify.title'],
  ['verify.toLogin', '/', 'login.title'],
  ['login.forgot', '/forgot-pw', 'forgot.title'],
  ['forgot.haveKey', '/new-pw', 'newPassword.title'],
] as const;

const VIEWPORTS = [
  { width: 320, height: 480 },
  { width: 360, height: 740 },
  { width: 1280, height: 1000 },
] as const;

const topOf = (selector: string): number =>
  page.getByCss(selector).first().element().getBoundingClientRect().top;

for (const language of TEST_LANGUAGES) {
  test(`logo and card stay in their place from one form to the next (${language})`, async () => {
    const t = createTranslator(language);
    const { reload } = await openApp({ language });
    for (const viewport of VIEWPORTS) {
      const { width, height } = viewport;
      await page.viewport(width, height);
      await reload('/');
      const heading = page.getByRole('heading', { level: 1 });
      await expect.element(heading).toHaveTextContent(t('login.title'));
      const places = () => [topOf('[class*=brand] svg'), topOf('[class*=card]'), topOf('h1')];
      const atLogin = places();
      for (const [link, path, title] of STEPS) {
        const next = page.getByRole('link', { name: t(link), exact: true });
        await next.click();
        await expectPath(path);
        await expect.element(heading).toHaveTextContent(t(title));
        // The click may have scrolled to the link.
        window.scrollTo(0, 0);
        expect(places(), `${path} at ${width} × ${height}`).toEqual(atLogin);
      }
    }
  });

  test(`a form stays in its place when a keyboard opens, and can be scrolled to its end (${language})`, async () => {
    const t = createTranslator(language);
    await openApp({ path: '/register', language, viewport: { width: 320, height: 740 } });
    const submit = page.getByRole('button', { name: t('register.submit'), exact: true });
    await expect.element(submit).toBeVisible();
    const top = topOf('[class*=card]');
    // As an on-screen keyboard does.
    await page.viewport(320, 300);
    expect(topOf('[class*=card]')).toBe(top);
    expect(topOf('[class*=brand] svg')).toBeGreaterThanOrEqual(0);
    for (const end of [submit, page.getByRole('link', { name: t('frame.privacy'), exact: true })]) {
      end.element().scrollIntoView({ block: 'end' });
      await expect.element(end).toBeInViewport({ ratio: 1 });
    }
    expect(document.documentElement.scrollWidth).toBe(320);
  });
}

test('the card stays in its place when a form gets a scrollbar', async () => {
  await openApp({ viewport: { width: 1280, height: 1000 } });
  await expect.element(page.getByRole('heading', { level: 1 })).toBeVisible();
  const places = () =>
    ['[class*=brand] svg', '[class*=card]', 'footer a'].map(
      (selector) => page.getByCss(selector).first().element().getBoundingClientRect().left,
    );
  const before = places();
  // As scrollbars do, which this browser does not show.
  document.documentElement.style.paddingInlineEnd = '15px';
  expect(places()).toEqual(before);
});

test('the background behind the forms fills windows of every shape', async () => {
  await openApp();
  const shapes = page.getByCss('[class*=shapes]');
  await expect.element(shapes).toBeInTheDocument();
  for (const { width, height } of [...VIEWPORTS, { width: 1920, height: 1080 }]) {
    await page.viewport(width, height);
    const { left, top, right, bottom } = shapes.element().getBoundingClientRect();
    expect([left, top, bottom]).toEqual([0, 0, height]);
    expect(right).toBe(document.documentElement.clientWidth);
    const paths = page.getByCss('[class*=shapes] > path').elements() as SVGPathElement[];
    // No part between the two colors is bare.
    for (let y = 0.5; y < 100; y += 9) {
      for (let x = 0.5; x < 100; x += 3) {
        const isCovered = paths.some((path) => path.isPointInFill(new DOMPoint(x, y)));
        expect(isCovered, `${x}, ${y}`).toBe(true);
      }
    }
  }
});
