import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join as joinPath } from 'node:path';
import { chatRow, message, sendText, startChat } from './support/chat.ts';
import { hasBinary, runBinary, type RunningBinary } from './support/binary.ts';
import { createBrowserUser, logIn, signUpWithForms } from './support/browser-user.ts';
import { expect, test as base } from './support/test.ts';
import { createTranslator } from './support/texts.ts';

const PICTURE = joinPath(import.meta.dirname, '../../server/test/samples/picture.png');

const test = base.extend<{ server: RunningBinary }>({
  server: async ({ serverEnv }, provide) => {
    const server = await runBinary(serverEnv);
    await provide(server);
    await server.dispose();
  },
});
test.skip(!hasBinary(), 'npm run build:binary creates the binary that this tests');
test.setTimeout(180_000);

test('the binary in an empty folder serves two users before and after a restart @long', async ({
  server,
  newPage,
}) => {
  const [alice, bob] = await Promise.all([
    newPage().then((page) => signUpWithForms(page, server, 'Alice')),
    newPage().then((page) => signUpWithForms(page, server, 'Bob')),
  ]);
  await startChat(alice.page, 'bob', 'Hello from one file');
  await chatRow(bob.page, 'Alice').click();
  await sendText(bob.page, 'It works');
  await expect(message(alice.page, 'It works')).toBeVisible();

  await alice.page.locator('input[type=file]').setInputFiles(PICTURE);
  await alice.page.getByRole('button', { name: 'Send image', exact: true }).click();
  const picture = bob.page.getByAltText('Image from Alice').first();
  await expect(picture).toBeVisible();

  await test.step('the binary renders an SVG', async () => {
    const drawing = '<svg xmlns="http://www.w3.org/2000/svg"><text y="40">Hello</text></svg>';
    const file = { name: 'a.svg', mimeType: 'image/svg+xml', buffer: Buffer.from(drawing) };
    await alice.page.locator('input[type=file]').setInputFiles(file);
    await alice.page.getByRole('button', { name: 'Send image', exact: true }).click();
    const rendered = bob.page.getByAltText('Image from Alice').nth(1);
    await expect(rendered).toHaveAttribute('data-state', 'ready');
    const opener = rendered.locator('xpath=ancestor::*[@data-image]');
    await expect(opener).toHaveAttribute('data-image', /\.png$/);
  });

  await test.step('the binary has created only the data folder', () => {
    const folder = dirname(server.dataDir);
    expect(readdirSync(folder).toSorted()).toEqual(
      ['data', process.platform === 'win32' ? 'parley.exe' : 'parley'].toSorted(),
    );
  });

  await test.step('after a restart, all messages and images are still available', async () => {
    await server.stop();
    await server.start();
    await sendText(alice.page, 'Still there?');
    await expect(message(bob.page, 'Still there?')).toBeVisible();
    await bob.page.reload();
    await expect(picture).toBeVisible();
    const width = await picture.evaluate((image: HTMLImageElement) => image.naturalWidth);
    expect(width).toBe(24);
  });

  await test.step('the binary creates a backup', async () => {
    const archive = joinPath(dirname(server.dataDir), 'backup.tar');
    const result = JSON.parse(await server.command('backup', archive, '--json'));
    expect(result).toMatchObject({ file: archive, mediaFiles: 2 });
    expect(existsSync(archive)).toBe(true);
  });
});

test('the binary explains which variable to set if its native modules cannot be loaded from any folder @long', async ({
  server,
}) => {
  const folder = dirname(server.dataDir);
  // Makes the folder read-only for this command alone, if the system allows that.
  const script = `mount --bind ${folder} ${folder} && mount -o remount,bind,ro ${folder} &&
    cd ${folder} && { ./parley version; echo "exit $?"; }`;
  const run = spawnSync('unshare', ['--user', '--map-root-user', '--mount', 'sh', '-c', script], {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], TMPDIR: folder, PARLEY_DATA: folder },
  });
  test.skip(!run.stdout?.includes('exit'), 'this system cannot mount a folder read-only');
  expect(run.stdout).toBe('exit 1\n');
  expect(run.stderr).toMatch(
    /^parley: The native modules .* Set TMPDIR to a folder .* \(EROFS: .*\)\.\n$/,
  );
});

test.describe('with registration by invitation', () => {
  test.use({ serverEnv: { PARLEY_REGISTRATION: 'invite' } });

  test('an operator invites and verifies a user and resets the password without email @long', async ({
    server,
    newPage,
  }) => {
    const page = await newPage();
    const t = createTranslator('en');
    const carla = createBrowserUser(page, 'Carla');
    const label = (key: string) => page.getByLabel(t(key), { exact: true });
    const submitRegistration = async () => {
      await label('field.email').fill(carla.email);
      await label('field.username').fill(carla.username);
      await label('field.password').fill(carla.password);
      await page.getByRole('checkbox').check();
      await page.getByRole('button', { name: t('register.submit'), exact: true }).click();
    };

    await page.goto('/register');
    await label('register.invitation').fill('guessed');
    await submitRegistration();
    await expect(page.getByText(t('register.invitationInvalid'))).toBeVisible();

    const link = await server.command('invite');
    await page.goto('about:blank');
    await page.goto(link.trim());
    await expect(label('register.invitation')).toHaveValue(/^[\w-]{20}$/);
    await submitRegistration();
    await expect(page.getByText(t('register.success'))).toBeVisible();

    await server.command('user', 'verify', 'carla');
    const reset = JSON.parse(await server.command('user', 'reset-link', 'carla', '--json'));
    await page.goto('about:blank');
    await page.goto(reset.link);
    await expect(label('field.email')).toHaveValue(carla.email);
    await expect(label('newPassword.key')).toHaveValue(reset.key);
    await label('newPassword.password').fill('battery staple');
    await page.getByRole('button', { name: t('newPassword.submit') }).click();
    await page.waitForURL((url) => url.pathname === '/');
    await logIn({ ...carla, password: 'battery staple' });
  });
});
