import { createTranslator, TEST_LANGUAGES, type Translator } from '@parley/texts/translator';
import type { CurrentUser } from '@parley/contract';
import { expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { createServerWith } from './support/act-as.ts';
import { openApp } from './support/open-app.ts';
import { expectPath } from './support/expect-path.ts';
import { clickRetry } from './support/click-retry.ts';

const OPERATOR = {
  name: 'Robot Hospital',
  address: '1 Gear Lane, Leipzig',
  email: 'care@robots.example',
  website: 'https://robots.example/',
  sourceUrl: 'https://code.robots.example/parley',
  demoUrl: 'https://demo.robots.example/',
};
const CHAPTERS = ['controller', 'types', 'purpose', 'security', 'rights', 'disclaimer', 'contact'];

const heading = page.getByRole('heading', { level: 1 });
const link = (name: string) => page.getByRole('link', { name });

async function openMenu(t: Translator): Promise<void> {
  await page.getByRole('button', { name: t('frame.menu', { name: 'Alice' }) }).click();
}

for (const language of TEST_LANGUAGES) {
  const t = createTranslator(language);

  test(`the profile shows the user and the registration date (${language})`, async () => {
    const { server, reload } = await openApp({ user: 'Alice', language });
    await openMenu(t);
    await page.getByRole('menuitem', { name: t('frame.profile') }).click();
    await expect.element(heading).toHaveTextContent(t('profile.title'));
    await expect.poll(() => document.title).toBe(t('app.pageTitle', { page: t('profile.title') }));
    await expect.element(page.getByText('alice@example.org')).toBeVisible();
    const month = new Intl.DateTimeFormat(language === 'en' ? 'en-GB' : 'de-DE', {
      year: 'numeric',
      month: 'long',
      timeZone: 'Europe/Berlin',
    }).format(new Date());
    const dated = page.getByRole('definition').last();
    await expect.element(dated).toMatchTextContent(month);
    await expect.element(page.getByText(t('profile.noDate'))).not.toBeInTheDocument();
    server.intercept('getCurrentUser', async (_, next) => {
      const response = await next();
      const { dateOfRegistration: _date, ...user } = (await response.json()) as CurrentUser;
      return Response.json(user);
    });
    await reload();
    await expect.element(dated).toHaveTextContent(t('profile.noDate'));
    await link(t('profile.back')).click();
    await expectPath('/chatarea');
  });

  test(`About us shows the details that the operator has set (${language})`, async () => {
    const server = createServerWith(['Alice'], language);
    server.config.operator = OPERATOR;
    await openApp({ server, user: 'Alice', language });
    await openMenu(t);
    const privacy = page.getByRole('menuitem', { name: t('frame.privacy'), exact: false });
    await expect.element(privacy).toHaveAttribute('href', '/privacy');
    await expect.element(privacy).toHaveAttribute('target', '_blank');
    await page.getByRole('menuitem', { name: t('frame.about') }).click();
    await expect.element(heading).toHaveTextContent(t('about.title'));
    const operatedBy = t('about.operatedBy', { name: OPERATOR.name });
    await expect.element(page.getByText(operatedBy)).toBeVisible();
    for (const key of ['developers', 'technologies', 'features', 'links']) {
      await expect.element(page.getByRole('heading', { name: t(`about.${key}`) })).toBeVisible();
    }
    for (const [key, href] of [
      ['demo', OPERATOR.demoUrl],
      ['source', OPERATOR.sourceUrl],
      ['website', OPERATOR.website],
      ['contact', `mailto:${OPERATOR.email}`],
    ] as const) {
      const found = page.getByRole('link', { name: t(`about.${key}`), exact: false });
      await expect.element(found).toHaveAttribute('href', href);
      if (key !== 'contact') {
        await expect.element(found).toHaveAttribute('rel', expect.stringContaining('noopener'));
      }
    }
  });

  test(`Privacy shows its chapters and the operator (${language})`, async () => {
    const server = createServerWith([]);
    server.config.operator = OPERATOR;
    await openApp({ server, path: '/privacy', language });
    await expect.element(heading).toHaveTextContent(t('privacy.title'));
    for (const key of CHAPTERS) {
      await expect.element(page.getByRole('heading', { name: t(`privacy.${key}`) })).toBeVisible();
    }
    await expect.element(page.getByText(OPERATOR.address, { exact: false })).toBeVisible();
    await expect.element(link(OPERATOR.email)).toBeVisible();
    await expect.element(page.getByText(t('privacy.securityText'))).toBeVisible();
    await expect.element(page.getByText(t('privacy.updated'))).toBeVisible();
  });

  test(`an unknown address shows the 404 page with a back button (${language})`, async () => {
    const { reload } = await openApp({ user: 'Alice', language });
    history.pushState(null, '', '/no/such/page');
    await reload();
    await expect.element(heading).toMatchTextContent(t('notFound.title'));
    await expect.element(heading).toMatchTextContent('404');
    await page.getByRole('button', { name: t('notFound.back') }).click();
    await expectPath('/chatarea');
  });
}

test('without an operator, the pages omit the missing details', async () => {
  const t = createTranslator('en');
  const { reload } = await openApp({ user: 'Alice', path: '/about-us' });
  await expect.element(page.getByRole('heading', { name: t('about.features') })).toBeVisible();
  const links = page.getByRole('heading', { name: t('about.links') });
  await expect.element(links).not.toBeInTheDocument();
  await reload('/privacy');
  await expect.element(page.getByText(t('privacy.contactUnset'))).toBeVisible();
  const unset = t('privacy.controllerUnset', { host: location.host });
  await expect.element(page.getByText(unset)).toBeVisible();
});

test('a guest sees the 404 page at an unknown address', async () => {
  await openApp({ path: '/nirgends', language: 'de' });
  await expect.element(heading).toMatchTextContent('NICHT GEFUNDEN');
});

test('About us is shown if the server cannot tell who is signed in, and leads back to the chats', async () => {
  const t = createTranslator('en');
  // The pages depend on the server's responses without it.
  localStorage.setItem('parley.offline-copy', 'false');
  vi.spyOn(console, 'error').mockReturnValue();
  const { server, reload } = await openApp({ user: 'Alice' });
  await expect.element(heading).toBeVisible();
  // A status after which the client does not repeat the request.
  const restore = server.intercept('getCurrentUser', () => new Response(null, { status: 501 }));
  await reload('/about-us');
  await expect.element(heading).toHaveTextContent(t('about.title'));
  await expect.element(page.getByRole('heading', { name: t('about.features') })).toBeVisible();
  await link(t('about.back')).click();
  await expect.element(heading).toHaveTextContent(t('app.startRefused'));
  await expectPath('/chatarea');
  await clickRetry(page.getByRole('button', { name: t('app.retry') }), restore);
  await expect.element(link(t('findUser.open')).first()).toBeVisible();
});

test('a guest who opens About us is led to the login', async () => {
  await openApp({ path: '/about-us' });
  await expect.element(heading).toHaveTextContent(createTranslator('en')('login.title'));
  await expectPath('/');
});
