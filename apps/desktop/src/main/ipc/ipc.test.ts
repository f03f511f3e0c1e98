import { EventEmitter } from 'node:events';
import { describe, expect, test, vi } from 'vitest';
import fc from 'fast-check';
import { listenTo } from './listen.ts';
import { parsePayload, PAYLOADS, PayloadError, type PayloadName } from './payloads.ts';
import { isTrustedSender } from './sender.ts';

const origin = 'https://chat.example.org';
const mainFrame = { url: `${origin}/chatarea` };
const trusted = { senderFrame: mainFrame, sender: { mainFrame } };

describe('a trusted sender', () => {
  test('is the main frame of the expected origin', () => {
    expect(isTrustedSender(trusted, origin)).toBe(true);
    const picker = { url: 'parley-picker://app/picker.html' };
    const fromPicker = { senderFrame: picker, sender: { mainFrame: picker } };
    expect(isTrustedSender(fromPicker, 'parley-picker://app')).toBe(true);
    expect(isTrustedSender(fromPicker, origin)).toBe(false);
  });

  test('is not a nested frame, a destroyed frame or another page', () => {
    expect(isTrustedSender({ ...trusted, senderFrame: { ...mainFrame } }, origin)).toBe(false);
    expect(isTrustedSender({ ...trusted, senderFrame: null }, origin)).toBe(false);
    for (const url of [
      'https://chat.example.org.evil.example/',
      'http://chat.example.org/',
      '',
      'about:blank',
      'data:text/html,x',
    ]) {
      const frame = { url };
      expect(isTrustedSender({ senderFrame: frame, sender: { mainFrame: frame } }, origin)).toBe(
        false,
      );
    }
  });
});

describe('the schema of', () => {
  test.each<[PayloadName, unknown[]]>([
    ['notify', [{ chatroom: '0192-ab', title: 'ada', body: 'Hi', silent: false }]],
    ['withdraw', ['0192-ab']],
    ['setUnread', [{ count: 3, picture: 'data:image/png;base64,iVBORw0KGgo=' }]],
    ['setUnread', [{ count: 0 }]],
    ['setPreferences', [{ closeToTray: true }]],
    ['setPreferences', [{}]],
    ['setLanguage', ['de']],
    ['check', ['chat.example.org', undefined]],
    ['add', [{ origin: 'https://a.example:8443', pinned: `sha256/${'A'.repeat(43)}=` }]],
    ['nothing', []],
  ])('%s accepts %j', (name, args) => {
    expect(parsePayload(name, args)).toEqual(args);
  });

  test.each<[PayloadName, unknown[]]>([
    ['notify', []],
    ['notify', [{ chatroom: '1', title: 'ada', body: 'Hi' }]],
    ['notify', [{ chatroom: '../x', title: 'ada', body: 'Hi', silent: false }]],
    [
      'notify',
      [{ chatroom: '1', title: 'ada', body: 'Hi', silent: false, icon: 'file:///etc/passwd' }],
    ],
    ['notify', [{ chatroom: '1', title: 'ada', body: 'x'.repeat(20_001), silent: true }]],
    ['withdraw', ['1', '2']],
    ['setUnread', [{ count: -1 }]],
    ['setUnread', [{ count: 1.5 }]],
    ['setUnread', [{ count: 1, picture: 'data:image/svg+xml;base64,AAAA' }]],
    ['setUnread', [{ count: 1, picture: 'file:///etc/passwd' }]],
    ['setPreferences', [{ updateFeed: 'https://evil.example' }]],
    ['setPreferences', [{ closeToTray: 'yes' }]],
    ['setLanguage', ['fr']],
    ['check', ['x'.repeat(2_001), undefined]],
    ['add', [{ origin: 'file:///etc' }]],
    ['add', [{ origin: 'https://a.example/path' }]],
    ['nothing', [1]],
  ])('%s rejects %j', (name, args) => {
    expect(() => parsePayload(name, args)).toThrow(PayloadError);
  });

  test('every payload rejects too many arguments', () => {
    const names = Object.keys(PAYLOADS) as PayloadName[];
    fc.assert(
      fc.property(
        fc.constantFrom(...names),
        fc.array(fc.anything(), { minLength: 3 }),
        (name, args) => {
          expect(() => parsePayload(name, args)).toThrow(PayloadError);
        },
      ),
    );
  });
});

test('accepts messages only from the page itself and only with valid arguments', async () => {
  const messages = new EventEmitter();
  const requests = new Map<string, (...args: unknown[]) => unknown>();
  const page = listenTo(
    { on: messages.on.bind(messages), handle: requests.set.bind(requests) } as never,
    origin,
  );
  const withdraw = vi.fn<(chatroom: string) => void>();
  page.on('w', 'withdraw', withdraw);
  page.handle('q', 'setLanguage', (language) => `now ${language}`);
  page.handleSync('s', () => 'start');
  const other = { ...trusted, senderFrame: null };

  messages.emit('w', trusted, 'room');
  messages.emit('w', trusted, 'no room');
  messages.emit('w', other, 'room');
  expect(withdraw.mock.calls).toEqual([['room']]);

  expect(requests.get('q')?.(trusted, 'de')).toBe('now de');
  expect(() => requests.get('q')?.(trusted, 'fr')).toThrow('refused');
  expect(() => requests.get('q')?.(other, 'de')).toThrow('refused');

  const [own, foreign] = [
    { ...trusted, returnValue: 0 },
    { ...other, returnValue: 0 },
  ];
  messages.emit('s', own);
  messages.emit('s', foreign);
  expect([own.returnValue, foreign.returnValue]).toEqual(['start', null]);
});

test('responds with null to a synchronous request whose handler throws', () => {
  const messages = new EventEmitter();
  const page = listenTo(
    { on: messages.on.bind(messages), handle: vi.fn<() => void>() } as never,
    origin,
  );
  page.handleSync('s', () => {
    throw new Error('no such thing');
  });
  const event = { ...trusted, returnValue: undefined };
  messages.emit('s', event);
  expect(event.returnValue).toBeNull();
});
