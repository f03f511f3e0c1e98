import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseLaunchActivation, parseWindowsActivation } from './activation.ts';
import { getNotificationId, findChatroomOfNotification } from './notification-id.ts';

const servers = ['https://a.example', 'http://b.example:3000'];

describe('the id of a notification', () => {
  test('identifies the chatroom and the server, and is short enough for Windows', () => {
    const room = fc.stringMatching(/^[\w-]{1,64}$/);
    fc.assert(
      fc.property(fc.constantFrom(...servers), room, (server, chatroomId) => {
        const id = getNotificationId({ server, chatroomId });
        expect(id.length).toBeLessThanOrEqual(64);
        const found = findChatroomOfNotification(id, servers);
        expect(found).toEqual(chatroomId.length > 55 ? undefined : { server, chatroomId });
      }),
    );
  });

  test.each(['', 'test', '.', 'a.b.c', '00000000.room-1', '00000000.../x'])(
    '%j identifies no chatroom',
    (id) => expect(findChatroomOfNotification(id, servers)).toBeUndefined(),
  );
});

describe('an action on a notification of an earlier run', () => {
  test('is parsed from the arguments on Windows', () => {
    const reply = { type: 'reply', arguments: 'type=reply&tag=ab.room-1', reply: ' Hi\n' };
    expect(parseWindowsActivation(reply)).toEqual({ id: 'ab.room-1', reply: 'Hi' });
    expect(parseWindowsActivation({ ...reply, reply: ' ' })).toEqual({ id: 'ab.room-1' });
    expect(parseWindowsActivation({ ...reply, reply: '\u200b' })).toEqual({ id: 'ab.room-1' });
    expect(parseWindowsActivation({ type: 'click', arguments: '' })).toEqual({});
    expect(parseWindowsActivation({ type: 'click', arguments: 'type=click&tag=x' })).toEqual({
      id: 'x',
    });
  });

  test('is parsed from the launch information on macOS', () => {
    const click = {
      identifier: 'ab.room-1',
      actionIdentifier: 'com.apple.UNNotificationDefaultActionIdentifier',
      date: 1,
      userInfo: {},
    };
    expect(parseLaunchActivation(click)).toEqual({ id: 'ab.room-1' });
    const reply = { ...click, actionIdentifier: 'REPLY_ACTION', userText: 'Hi' };
    expect(parseLaunchActivation(reply)).toEqual({ id: 'ab.room-1', reply: 'Hi' });
    expect(parseLaunchActivation({ ...reply, userText: '\ufe0f' })).toEqual({ id: 'ab.room-1' });
    const dismissed = 'com.apple.UNNotificationDismissActionIdentifier';
    expect(parseLaunchActivation({ ...click, actionIdentifier: dismissed })).toBeUndefined();
    expect(parseLaunchActivation({})).toBeUndefined();
    expect(parseLaunchActivation(undefined)).toBeUndefined();
  });
});
