import { beforeEach, describe, expect, test, vi } from 'vitest';
import { FakeNotification } from '../../../test/support/fake-notification.ts';
import { getNotificationId } from './notification-id.ts';
import {
  createNotificationCenter,
  type NotificationCenterDeps,
  type NotificationSource,
} from './notification-center.ts';

const texts = {
  hiddenTitle: 'Parley',
  hiddenBody: 'New message',
  replyPlaceholder: 'Reply',
  testTitle: 'Test',
  testBody: 'It works',
};
let created: FakeNotification[];
beforeEach(() => {
  created = [];
});

function center(
  changed: Partial<NotificationCenterDeps> = {},
  outcome: 'show' | 'failed' | 'nothing' = 'show',
) {
  return createNotificationCenter({
    create: (options) => {
      const notification = new FakeNotification(options, outcome);
      created.push(notification);
      return notification;
    },
    isSupported: () => true,
    remove: () => undefined,
    platform: 'darwin',
    preferences: () => ({ isOn: true, showsContent: true }),
    texts: () => texts,
    ...changed,
  });
}

function source(changed: Pick<Partial<NotificationSource>, 'server' | 'isInForeground'> = {}) {
  return {
    server: 'https://a.example',
    isInForeground: () => false,
    onOpen: vi.fn<(chatroom: string) => void>(),
    onReply: vi.fn<(chatroom: string, text: string) => void>(),
    ...changed,
  };
}
const message = { chatroom: 'room-1', title: 'ada', body: 'Hello', silent: false };
const open = () => created.filter(({ isOpen }) => isOpen);

describe('a notification', () => {
  test('shows the sender and the text, and is silent if the page requests that', async () => {
    const shown = center();
    expect(await shown.show(message, source())).toBe('shown');
    expect(created[0]?.options).toMatchObject({ title: 'ada', body: 'Hello', silent: false });
    await shown.show({ ...message, silent: true }, source());
    expect(created[1]?.options).toMatchObject({ silent: true });
  });

  test('shows a message literally on Linux, where a body is markup', async () => {
    const body = '<img src="https://evil.example/seen"> <a href="x">Tom</a> & &lt;Jerry&gt;';
    await center({ platform: 'linux' }).show({ ...message, body }, source());
    expect(created[0]?.options.body).toBe(
      '&lt;img src="https://evil.example/seen"&gt; &lt;a href="x"&gt;Tom&lt;/a&gt; &amp; &amp;lt;Jerry&amp;gt;',
    );
    await center({ platform: 'win32' }).show({ ...message, body }, source());
    expect(created[1]?.options.body).toBe(body);
  });

  test('hides sender and text if the user does not want content on the screen', async () => {
    const quiet = center({ preferences: () => ({ isOn: true, showsContent: false }) });
    await quiet.show(message, source());
    expect(JSON.stringify(created[0]?.options)).not.toMatch(/ada|Hello/);
  });

  test('is not shown if notifications are off or the window has the focus', async () => {
    const off = center({ preferences: () => ({ isOn: false, showsContent: true }) });
    expect(await off.show(message, source())).toBe('off');
    expect(await center().show(message, source({ isInForeground: () => true }))).toBe('off');
    expect(created).toEqual([]);
  });

  test('cuts a long text between characters', async () => {
    await center().show({ ...message, body: '👋🏽'.repeat(400) }, source());
    const { body = '' } = created[0]?.options ?? {};
    expect(Array.from(body)).toHaveLength(240);
    expect(body.isWellFormed()).toBe(true);
  });

  test('offers a reply if the system supports it and the page allows it', async () => {
    for (const platform of ['darwin', 'win32', 'linux'] as const) {
      await center({ platform }).show(message, source());
    }
    await center({ platform: 'darwin' }).show({ ...message, canReply: false }, source());
    const offered = created.map(({ options }) => options.hasReply ?? false);
    expect(offered).toEqual([true, true, false, false]);
  });
});

describe('the notification of a chatroom', () => {
  test('is replaced by a newer one', async () => {
    const shown = center();
    await shown.show(message, source());
    await shown.show({ ...message, body: 'Again' }, source());
    await shown.show({ ...message, chatroom: 'room-2' }, source());
    expect(open().map(({ options }) => options.body)).toEqual(['Again', 'Hello']);
    expect(created[0]?.options.id).toBe(created[1]?.options.id);
    expect(created[0]?.options.id?.length).toBeLessThanOrEqual(64);
  });

  test('is not replaced by one of another server', async () => {
    const shown = center();
    await shown.show(message, source());
    await shown.show(message, source({ server: 'https://b.example' }));
    expect(open()).toHaveLength(2);
    shown.withdrawAll('https://a.example');
    expect(open()).toEqual([created[1]]);
  });

  test('is withdrawn once the chatroom was read on any device', async () => {
    const shown = center();
    await shown.show(message, source());
    shown.withdraw('https://a.example', 'room-1');
    shown.withdraw('https://a.example', 'room-9');
    expect(open()).toEqual([]);
  });
});

describe('a notification that stays in the notification center', () => {
  const timeOut = (notification: FakeNotification | undefined) =>
    notification?.emit('close', { reason: 'timedOut' });

  test('can be clicked after Windows has closed its banner', async () => {
    const from = source();
    await center({ platform: 'win32' }).show(message, from);
    timeOut(created[0]);
    created[0]?.emit('click', {});
    expect(from.onOpen.mock.calls).toEqual([['room-1']]);
  });

  test('is removed once its chatroom was read', async () => {
    const shown = center({ platform: 'win32' });
    await shown.show(message, source());
    timeOut(created[0]);
    shown.withdraw('https://a.example', 'room-1');
    expect(open()).toEqual([]);
  });

  test('opens its chatroom after a restart of the app', () => {
    const remove = vi.fn<(id: string) => void>();
    const shown = center({ remove });
    const server = 'https://a.example';
    const ids = ['room-1', 'room-2'].map((chatroomId) => getNotificationId({ server, chatroomId }));
    const left = [
      ...ids,
      'test',
      getNotificationId({ server: 'https://gone.example', chatroomId: '1' }),
    ];
    const restored = left.map((id) => Object.assign(new FakeNotification({ id }, 'show'), { id }));
    const from = source();
    shown.restore(restored, [server], () => from);
    expect(remove.mock.calls.flat()).toEqual(left.slice(2));

    restored[0]?.emit('click', {});
    expect(from.onOpen.mock.calls).toEqual([['room-1']]);
    expect(remove).toHaveBeenLastCalledWith(ids[0]);
    shown.withdraw(server, 'room-2');
    expect(remove).toHaveBeenLastCalledWith(ids[1]);
  });
});

describe('the actions on a notification', () => {
  test('a click opens the chatroom once and removes the notification', async () => {
    const from = source();
    await center().show(message, from);
    created[0]?.emit('click', {});
    created[0]?.emit('click', {});
    expect(from.onOpen.mock.calls).toEqual([['room-1']]);
    expect(open()).toEqual([]);
  });

  test('a reply is sent unless it is empty', async () => {
    const from = source();
    const shown = center();
    await shown.show(message, from);
    created[0]?.emit('reply', { reply: '  Hi there\n' });
    await shown.show(message, from);
    created[1]?.emit('reply', { reply: '   ' });
    await shown.show(message, from);
    created[2]?.emit('reply', { reply: '\u2800' });
    expect(from.onReply.mock.calls).toEqual([['room-1', 'Hi there']]);
  });
});

describe('the outcome of showing a notification', () => {
  test('is `refused` or `unsupported` if the system does not show it', async () => {
    expect(await center({}, 'failed').show(message, source())).toBe('refused');
    expect(await center({ isSupported: () => false }).show(message, source())).toBe('unsupported');
  });

  test('is `shown` if the system reports nothing', async () => {
    vi.useFakeTimers();
    const outcome = center({}, 'nothing').show(message, source());
    await vi.advanceTimersByTimeAsync(1_000);
    vi.useRealTimers();
    expect(await outcome).toBe('shown');
  });
});

test('shows the test notification even if notifications are off', async () => {
  const off = center({ preferences: () => ({ isOn: false, showsContent: false }) });
  expect(await off.test()).toBe('shown');
  expect(created[0]?.options).toMatchObject({ title: 'Test', body: 'It works' });
});
