import { createTranslator, TEST_LANGUAGES } from '@parley/texts/translator';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import type { Host, PushPort } from '../../src/host/host.ts';
import { actAs, createServerWith } from './support/act-as.ts';
import { openApp } from './support/open-app.ts';

const SUBSCRIPTION = { endpoint: 'https://push.example.org/bob', keys: { p256dh: 'p', auth: 'a' } };

/** Creates a host whose browser allows notifications and has these push messages. */
function createSubscribableHost(push: Partial<PushPort>): Partial<Host> {
  return {
    notificationState: () => 'granted',
    push: {
      support: 'supported',
      subscribe: async () => SUBSCRIPTION,
      unsubscribe: async () => undefined,
      ...push,
    },
  };
}

for (const language of TEST_LANGUAGES) {
  const t = createTranslator(language);
  const section = page.getByRole('region', { name: t('notifications.title'), exact: true });
  const expectText = (key: string) =>
    expect.element(section.getByText(t(`notifications.${key}`), { exact: true })).toBeVisible();
  const buttonOf = (key: string) =>
    section.getByRole('button', { name: t(`notifications.${key}`), exact: true });
  const open = (host: Partial<Host>, server = createServerWith(['Bob'], language)) =>
    openApp({ server, user: 'Bob', path: '/settings', host, language });

  test(`the settings explain that notifications are blocked, once they are (${language})`, async () => {
    let state: ReturnType<Host['notificationState']> = 'not-asked';
    await open({ ...createSubscribableHost({}), notificationState: () => state });
    await expect.element(buttonOf('turnOn')).toBeVisible();
    // Loading the devices renders the section again.
    await expectText('deviceNever');
    state = 'denied';
    window.dispatchEvent(new Event('focus'));
    await expectText('delivery.blocked');
    await expectText('detail.blocked');
    await expectText('deviceNever');
  });

  test(`the settings explain that an iPhone needs the app on its home screen (${language})`, async () => {
    await open({
      ...createSubscribableHost({ support: 'needs-installation' }),
      notificationState: () => 'unsupported',
    });
    await expectText('delivery.install');
    await expectText('detail.install');
  });

  test(`the settings explain that private windows have no push messages (${language})`, async () => {
    const subscribe = async () => {
      throw new DOMException('in a private window', 'NotAllowedError');
    };
    await open(createSubscribableHost({ subscribe }));
    await expectText('detail.pushDenied');
  });

  test(`the settings explain that the server refuses a push service, with a retry (${language})`, async () => {
    const server = createServerWith(['Bob'], language);
    const others = [actAs(server, 'Bob'), actAs(server, 'Bob')];
    for (const other of others) await other.call('getCurrentUser');
    const refused = { code: 'push_endpoint_refused', errorMessage: 'No.' };
    let attempts = 0;
    server.intercept('subscribePush', () => {
      attempts += 1;
      return Response.json(refused, { status: 400 });
    });
    server.intercept('unsubscribePush', () => Response.json({ ok: true }));
    await open(createSubscribableHost({}), server);
    await expectText('delivery.failing');
    await expectText('detail.pushRefused');
    await expectText('deviceOpen');
    const elsewhere = section.getByText(t('notifications.otherOpen'));
    await expect.poll(() => elsewhere.elements()).toHaveLength(2);
    // The devices are of one kind.
    expect(section.getByCss('li time').elements()).toHaveLength(6);
    const before = attempts;
    await buttonOf('retry').click();
    await expect.poll(() => attempts).toBe(before + 1);
    await expect.element(buttonOf('retry')).toBeEnabled();
    await expectText('detail.pushRefused');
    await buttonOf('turnOff').click();
    await expectText('delivery.off');
    await expect.element(buttonOf('turnOn')).toHaveFocus();
    await expectText('deviceNever');
  });
}
