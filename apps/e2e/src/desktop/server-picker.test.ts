import { AxeBuilder } from '@axe-core/playwright';
import { expect, test } from 'playwright/test';
import { TEST_LANGUAGES } from '../support/texts.ts';
import { servePicker, withPickerBridge } from './support/picker-page.ts';

let picker: Awaited<ReturnType<typeof servePicker>>;
test.beforeAll(async () => {
  picker = await servePicker();
});
test.afterAll(() => picker.close());

const FINGERPRINT = `sha256/${'A'.repeat(43)}=`;
const host = 'chat.example.org';
const found = { kind: 'found', origin: `https://${host}`, version: '1.0.0' };
const results = {
  [host]: found,
  nonsense: { kind: 'invalid' },
  'nobody.example': { kind: 'no-such-host', host: 'nobody.example' },
  'silent.example': { kind: 'no-connection', host: 'silent.example' },
  'web.example': { kind: 'not-parley', host: 'web.example' },
  'moved.example': { kind: 'redirect', host: 'moved.example', to: 'login.example' },
  'old.example': { kind: 'server-too-old', host: 'old.example' },
  'new.example': { kind: 'server-too-new', host: 'new.example' },
  '192.168.1.20:3000': {
    kind: 'found-plain',
    origin: 'http://192.168.1.20:3000',
    version: '1.0.0',
  },
  'own.example': { kind: 'certificate', origin: 'https://own.example', fingerprint: FINGERPRINT },
  [`https://own.example ${FINGERPRINT}`]: {
    kind: 'found',
    origin: 'https://own.example',
    version: '1.0.0',
  },
};

const LANGUAGES = [
  {
    language: 'en',
    title: 'Connect to your server',
    address: 'Server address',
    connect: 'Connect',
    errors: {
      nonsense: "isn't a valid address",
      'nobody.example': "There's no server called nobody.example",
      'silent.example': 'silent.example does not respond',
      'web.example': 'is not a Parley server',
      'moved.example': 'moved.example redirects to login.example',
      'old.example': 'is too old for this app',
      'new.example': 'is newer than this app',
    },
  },
  {
    language: 'de',
    title: 'Mit deinem Server verbinden',
    address: 'Serveradresse',
    connect: 'Verbinden',
    errors: {
      nonsense: 'keine gültige Adresse',
      'nobody.example': 'Es gibt keinen Server namens nobody.example',
      'silent.example': 'silent.example antwortet nicht',
      'web.example': 'ist kein Parley-Server',
      'moved.example': 'moved.example leitet zu login.example weiter',
      'old.example': 'ist zu alt für diese App',
      'new.example': 'ist neuer als diese App',
    },
  },
] as const;

for (const { language, title, address, connect, errors } of LANGUAGES) {
  if (!TEST_LANGUAGES.includes(language)) continue;

  test(`the first start asks for a server and shows what is wrong with an address (${language})`, async ({
    page,
  }) => {
    const calls = await withPickerBridge(page, { language, servers: [] }, results);
    await page.goto(`${picker.url}/picker.html`);
    await expect(page.getByRole('heading', { name: title })).toBeVisible();
    await expect(page.getByLabel(address)).toBeFocused();
    for (const [typed, text] of Object.entries(errors)) {
      await page.getByLabel(address).fill(typed);
      await page.getByRole('button', { name: connect }).click();
      await expect(page.getByRole('alert')).toContainText(text);
      await expect(page.getByLabel(address)).toBeFocused();
    }
    const { violations } = await new AxeBuilder({ page }).analyze();
    expect(violations).toEqual([]);

    await page.getByLabel(address).fill(host);
    await page.getByLabel(address).press('Enter');
    await expect.poll(calls).toContainEqual({ channel: 'add', args: [{ origin: found.origin }] });
  });
}

test('a server without encryption is added only after the user has agreed', async ({ page }) => {
  const calls = await withPickerBridge(page, { language: 'en', servers: [] }, results);
  await page.goto(`${picker.url}/picker.html`);
  await page.getByLabel('Server address').fill('192.168.1.20:3000');
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
  const confirmation = page.getByRole('region', { name: 'This connection is not encrypted' });
  await expect(confirmation).toBeFocused();
  expect((await calls()).filter(({ channel }) => channel === 'add')).toEqual([]);
  await confirmation.getByRole('button', { name: 'Connect without encryption' }).click();
  await expect
    .poll(calls)
    .toContainEqual({ channel: 'add', args: [{ origin: 'http://192.168.1.20:3000' }] });
});

test('an untrusted certificate is checked again and saved once the user trusts its fingerprint', async ({
  page,
}) => {
  const calls = await withPickerBridge(page, { language: 'en', servers: [] }, results);
  await page.goto(`${picker.url}/picker.html`);
  await page.getByLabel('Server address').fill('own.example');
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
  const confirmation = page.getByRole('region', { name: 'This certificate is not trusted' });
  await expect(confirmation).toContainText(FINGERPRINT);
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(violations).toEqual([]);
  await confirmation.getByRole('button', { name: 'Trust this certificate' }).click();
  const kept = { origin: 'https://own.example', pinned: FINGERPRINT };
  await expect.poll(calls).toContainEqual({ channel: 'add', args: [kept] });
});

test('the new certificate of a known server is shown without entering its address again', async ({
  page,
}) => {
  const origin = 'https://own.example';
  const start = { language: 'en', servers: [origin], active: origin, address: origin };
  await withPickerBridge(page, start, {
    [origin]: { kind: 'certificate', origin, fingerprint: FINGERPRINT },
  });
  await page.goto(`${picker.url}/picker.html`);
  const confirmation = page.getByRole('region', { name: 'This certificate is not trusted' });
  await expect(confirmation).toContainText('own.example has a new certificate');
  await expect(confirmation).toContainText(FINGERPRINT);
});

test('known servers can be opened and, after a confirmation, removed', async ({ page }) => {
  const servers = ['https://a.example', 'https://b.example'];
  const start = { language: 'en', servers, active: 'https://b.example' };
  const calls = await withPickerBridge(page, start, results);
  await page.goto(`${picker.url}/picker.html`);
  await page.getByRole('button', { name: 'Open: a.example' }).click();
  await expect.poll(calls).toContainEqual({ channel: 'open', args: ['https://a.example'] });
  page.on('dialog', (dialog) => void dialog.accept());
  await page.getByRole('button', { name: 'Remove a.example' }).click();
  await expect.poll(calls).toContainEqual({ channel: 'remove', args: ['https://a.example'] });
  await expect(page.getByRole('list')).toBeHidden();
});
