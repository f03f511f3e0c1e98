import { chatRow, messages } from './support/chat.ts';
import { disableOfflineCopy } from './support/disable-offline-copy.ts';
import { goToChatroom, openChatroom } from './support/shared-chatroom.ts';
import { signUpOverHttp, signInOverHttp } from './support/browser-user.ts';
import { expect, test } from './support/test.ts';
import { TEST_LANGUAGES, localeOf, createTranslator } from './support/texts.ts';

const OPERATOR = {
  PARLEY_OPERATOR_NAME: 'Robot Hospital',
  PARLEY_OPERATOR_ADDRESS: '1 Gear Lane, Leipzig',
  PARLEY_OPERATOR_EMAIL: 'care@robots.example',
  PARLEY_OPERATOR_WEBSITE: 'https://robots.example/',
  PARLEY_SOURCE_URL: 'https://code.robots.example/parley',
  PARLEY_DEMO_URL: 'https://demo.robots.example/',
};
const CHAPTERS = ['controller', 'types', 'purpose', 'security', 'rights', 'disclaimer', 'contact'];

test.describe('with an operator', () => {
  test.use({ serverEnv: OPERATOR });

  for (const language of TEST_LANGUAGES) {
    const t = createTranslator(language);

    test(`the profile, About us, Privacy and 404 pages show their content (${language})`, async ({
      server,
      newPage,
    }) => {
      const page = await newPage({ locale: localeOf(language) });
      const heading = page.getByRole('heading', { level: 1 });
      const { email } = await signUpOverHttp(page, server, 'Alice', language);
      const choose = async (name: string) => {
        await page.getByRole('button', { name: t('shell.menu', { name: 'Alice' }) }).click();
        await page.getByRole('menuitem', { name }).click();
      };

      await test.step('the profile shows the user and the registration date', async () => {
        await choose(t('shell.profile'));
        await expect(heading).toHaveText(t('profile.title'));
        await expect(page).toHaveTitle(t('app.pageTitle', { page: t('profile.title') }));
        await expect(page.getByText(email)).toBeVisible();
        await expect(page.getByText(t('profile.noDate'))).toHaveCount(0);
        const today = new Intl.DateTimeFormat(language === 'en' ? 'en-GB' : 'de-DE', {
          year: 'numeric',
          month: 'long',
          timeZone: 'Europe/Berlin',
        });
        const dated = page.getByRole('definition').last();
        await expect(dated).toContainText(today.format(new Date()));
        await page.route('**/api/users/current', async (route) => {
          const response = await route.fetch();
          const user = (await response.json()) as Record<string, unknown>;
          delete user['dateOfRegistration'];
          await route.fulfill({ response, json: user });
        });
        await page.reload();
        await expect(dated).toHaveText(t('profile.noDate'));
        await page.unroute('**/api/users/current');
        await page.getByRole('link', { name: t('profile.back') }).click();
        await expect(page).toHaveURL((url) => url.pathname === '/chatarea');
      });

      await test.step('About us shows the details that the operator has set', async () => {
        await choose(t('shell.about'));
        await expect(heading).toHaveText(t('about.title'));
        await expect(
          page.getByText(t('about.operatedBy', { name: 'Robot Hospital' })),
        ).toBeVisible();
        for (const key of ['developers', 'technologies', 'features', 'links']) {
          await expect(page.getByRole('heading', { name: t(`about.${key}`) })).toBeVisible();
        }
        const links = [
          ['demo', OPERATOR.PARLEY_DEMO_URL],
          ['source', OPERATOR.PARLEY_SOURCE_URL],
          ['website', OPERATOR.PARLEY_OPERATOR_WEBSITE],
          ['contact', 'mailto:care@robots.example'],
        ] as const;
        for (const [key, href] of links) {
          const link = page.getByRole('link', { name: t(`about.${key}`) });
          await expect(link).toHaveAttribute('href', href);
          if (key !== 'contact') await expect(link).toHaveAttribute('rel', /noopener/);
        }
      });

      await test.step('Privacy opens in a new tab', async () => {
        const opened = page.waitForEvent('popup');
        await choose(t('shell.privacy'));
        const privacy = await opened;
        await expect(privacy).toHaveURL((url) => url.pathname === '/privacy');
        await expect(privacy.getByRole('heading', { level: 1 })).toHaveText(t('privacy.title'));
        for (const key of CHAPTERS) {
          await expect(privacy.getByRole('heading', { name: t(`privacy.${key}`) })).toBeVisible();
        }
        await expect(privacy.getByText('1 Gear Lane, Leipzig')).toBeVisible();
        await expect(privacy.getByRole('link', { name: 'care@robots.example' })).toBeVisible();
        await expect(privacy.getByText(t('privacy.securityText'))).toBeVisible();
        await expect(privacy.getByText(t('privacy.updated'))).toBeVisible();
        await privacy.close();
      });

      await test.step('an unknown address shows the 404 page with a back button', async () => {
        await page.goto('/chatarea');
        await page.goto('/no/such/page');
        await expect(heading).toContainText(t('notFound.title'));
        await expect(heading).toContainText('404');
        await page.getByRole('button', { name: t('notFound.back') }).click();
        await expect(page).toHaveURL((url) => url.pathname === '/chatarea');
      });
    });
  }
});

test('without an operator, the pages omit the missing details', async ({ server, newPage }) => {
  const page = await newPage();
  await signInOverHttp(page, server, 'Alice');
  await page.goto('/about-us');
  const t = createTranslator('en');
  await expect(page.getByRole('heading', { name: t('about.features') })).toBeVisible();
  await expect(page.getByRole('heading', { name: t('about.links') })).toHaveCount(0);
  await page.goto('/privacy');
  await expect(page.getByText(t('privacy.contactUnset'))).toBeVisible();
  const { host } = new URL(server.url);
  await expect(page.getByText(t('privacy.controllerUnset', { host }))).toBeVisible();
});

test('chatrooms of other users and unknown chatrooms lead to the same 404 page', async ({
  server,
  newPage,
}) => {
  const { room } = await openChatroom(newPage, server);
  const page = await newPage();
  await signInOverHttp(page, server, 'Carla');
  const none = '/chatarea/chats/01890000-0000-7000-8000-000000000000';
  for (const path of [room, none, '/chatarea/chats/nonsense']) {
    await page.goto('/chatarea');
    await page.goto(path);
    await expect(page).toHaveURL((url) => url.pathname === '/404');
    await expect(page.getByRole('heading', { level: 1 })).toContainText('NOT FOUND');
  }
});

test('a guest sees the 404 page at an unknown address', async ({ newPage }) => {
  const page = await newPage({ locale: 'de-DE' });
  await page.goto('/nirgends');
  await expect(page.getByRole('heading', { level: 1 })).toContainText('NICHT GEFUNDEN');
});

test('each screen that cannot be loaded shows an error and offers a retry', async ({
  server,
  newPage,
}) => {
  const t = createTranslator('en');
  const { alice, room } = await openChatroom(newPage, server);
  const { page } = alice;
  await disableOfflineCopy(page);
  const retry = page.getByRole('button', { name: t('app.retry') });
  const sessions = page.getByRole('region', { name: t('settings.sessions') });
  const screens = [
    ['/settings', '**/api/sessions', 'settings.sessionsFailed', sessions.getByRole('listitem')],
    [room, '**/api/chatrooms/chats/*', 'room.error', messages(page)],
  ] as const;
  for (const [path, call, error, content] of screens) {
    await page.route(call, (route) => route.fulfill({ status: 500 }));
    await page.goto(path);
    await expect(page.getByText(t(error))).toBeVisible();
    const requested = page.waitForRequest(call);
    // The notifications' list of devices, above the sessions, needs them too.
    await retry.last().click();
    await requested;
    await page.unroute(call);
    await page.reload();
    await expect(content).toBeVisible();
  }
  await page.route('**/api/config', (route) => route.abort());
  await page.goto(room);
  await expect(page.getByRole('heading', { name: t('app.startFailed') })).toBeVisible();
  await page.unroute('**/api/config');
  await retry.click();
  await goToChatroom(page, room);
});

test('a screen whose code or texts cannot be loaded offers a retry @long', async ({
  server,
  newPage,
}) => {
  const t = createTranslator('en');
  const { alice } = await openChatroom(newPage, server);
  const { page } = alice;
  const heading = (name: string) => page.getByRole('heading', { level: 1, name });
  const retry = async (): Promise<void> => {
    await page.getByRole('button', { name: t('app.retry') }).click();
    await expect(heading(t('settings.title'))).toBeVisible();
  };

  await test.step('missing code keeps the chat list', async () => {
    await page.route('**/assets/SettingsPage*', (route) => route.abort());
    await page.goto('/settings');
    await expect(heading(t('app.screenFailed'))).toBeVisible();
    await expect(chatRow(page, 'Bob')).toBeVisible();
    await page.unroute('**/assets/SettingsPage*');
    await retry();
  });

  await test.step('missing texts also concern the chat list', async () => {
    await page.route('**/assets/screens-*', (route) => route.abort());
    await page.reload();
    await expect(heading(t('app.screenFailed'))).toBeVisible();
    await page.unroute('**/assets/screens-*');
    await retry();
  });
});

test('every screen opens without a connection once the first one has loaded', async ({
  server,
  newPage,
}) => {
  const t = createTranslator('en');
  const page = await newPage();
  const last = page.waitForResponse('**/assets/AboutPage*.js');
  await signUpOverHttp(page, server, 'Alice');
  await last;
  await page.context().setOffline(true);
  await page.getByRole('button', { name: t('shell.menu', { name: 'Alice' }) }).click();
  await page.getByRole('menuitem', { name: t('shell.about') }).click();
  await expect(page.getByRole('heading', { name: t('about.features') })).toBeVisible();
});

test('a page that is incompatible with the server shows which one is older', async ({
  server,
  newPage,
}) => {
  const page = await newPage();
  const t = createTranslator('en');
  await signUpOverHttp(page, server, 'Alice');
  const changeApiVersion = (change: number) =>
    page.route('**/api/config', async (route) => {
      const response = await route.fetch();
      const config = (await response.json()) as { apiVersion: number };
      const apiVersion = config.apiVersion + change;
      await route.fulfill({ json: { ...config, apiVersion, minApiVersion: apiVersion } });
    });
  for (const [change, text] of [
    [1, 'app.serverNewer'],
    [-1, 'app.serverOlder'],
  ] as const) {
    await changeApiVersion(change);
    await page.reload();
    await expect(page.getByRole('heading', { level: 1, name: t(text) })).toBeVisible();
    await page.unroute('**/api/config');
  }
  await page.getByRole('button', { name: t('app.reload') }).click();
  await expect(page.getByText(t('chatList.empty'))).toBeVisible();
});
