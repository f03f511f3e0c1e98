import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join as joinPath } from 'node:path';
import { chatRow, message, say, startChat } from './support/chat.ts';
import { hasBinary, runBinary, type RunningBinary } from './support/binary.ts';
import { join, logIn, somebody } from './support/person.ts';
import { expect, test as base } from './support/test.ts';
import { words } from './support/texts.ts';

const PICTURE = joinPath(import.meta.dirname, '../../server/test/samples/picture.png');

const test = base.extend<{ server: RunningBinary }>({
  server: async ({ serverEnv }, provide) => {
    const server = await runBinary(serverEnv);
    await provide(server);
    await server.dispose();
  },
});
test.skip(!hasBinary(), 'npm run build:binary makes the binary that this tries');
test.setTimeout(180_000);

test('the binary alone, in an empty folder, serves two people, also after a restart', async ({
  server,
  newPage,
}) => {
  const [alice, bob] = await Promise.all([
    newPage().then((page) => join(page, server, 'Alice')),
    newPage().then((page) => join(page, server, 'Bob')),
  ]);
  await startChat(alice.page, 'bob', 'Hello from one file');
  await chatRow(bob.page, 'Alice').click();
  await say(bob.page, 'It works');
  await expect(message(alice.page, 'It works')).toBeVisible();

  await alice.page.locator('input[type=file]').setInputFiles(PICTURE);
  await alice.page.getByRole('button', { name: 'Send image', exact: true }).click();
  const picture = bob.page.getByAltText('Image from Alice');
  await expect(picture).toBeVisible();

  await test.step('nothing but the data folder was left beside it', () => {
    const folder = dirname(server.dataDir);
    expect(readdirSync(folder).toSorted()).toEqual(
      ['data', process.platform === 'win32' ? 'parley.exe' : 'parley'].toSorted(),
    );
  });

  await test.step('after a restart, everything is there and goes on', async () => {
    await server.stop();
    await server.start();
    await say(alice.page, 'Still there?');
    await expect(message(bob.page, 'Still there?')).toBeVisible();
    await bob.page.reload();
    await expect(picture).toBeVisible();
    const width = await picture.evaluate((image: HTMLImageElement) => image.naturalWidth);
    expect(width).toBe(24);
  });

  await test.step('its backup is restored elsewhere by itself', async () => {
    const archive = joinPath(dirname(server.dataDir), 'backup.tar');
    const result = JSON.parse(await server.command('backup', archive, '--json'));
    expect(result).toMatchObject({ file: archive, mediaFiles: 1 });
    expect(existsSync(archive)).toBe(true);
  });
});

test('where its native parts can be loaded from no folder, it says what to set', async ({
  server,
}) => {
  const folder = dirname(server.dataDir);
  // Read-only for this command alone, where the system lets us have that.
  const script = `mount --bind ${folder} ${folder} && mount -o remount,bind,ro ${folder} &&
    cd ${folder} && { ./parley version; echo "exit $?"; }`;
  const run = spawnSync('unshare', ['--user', '--map-root-user', '--mount', 'sh', '-c', script], {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], TMPDIR: folder, PARLEY_DATA: folder },
  });
  test.skip(!run.stdout?.includes('exit'), 'this system lets us mount no folder read-only');
  expect(run.stdout).toBe('exit 1\n');
  expect(run.stderr).toMatch(
    /^parley: The native parts .* set TMPDIR to one .* \(EROFS: .*\)\.\n$/,
  );
});

test.describe('by invitation', () => {
  test.use({ serverEnv: { PARLEY_REGISTRATION: 'invite' } });

  test('an operator invites and helps without any mail', async ({ server, newPage }) => {
    const page = await newPage();
    const t = words('en');
    const carla = somebody(page, 'Carla');
    const label = (key: string) => page.getByLabel(t(key), { exact: true });
    const register = async () => {
      await label('field.email').fill(carla.email);
      await label('field.username').fill(carla.username);
      await label('field.password').fill(carla.password);
      await page.getByRole('checkbox').check();
      await page.getByRole('button', { name: t('register.submit'), exact: true }).click();
    };

    await page.goto('/register');
    await label('register.invitation').fill('guessed');
    await register();
    await expect(page.getByText(t('register.invitationInvalid'))).toBeVisible();

    const link = await server.command('invite');
    await page.goto('about:blank');
    await page.goto(link.trim());
    await expect(label('register.invitation')).toHaveValue(/^[\w-]{20}$/);
    await register();
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
