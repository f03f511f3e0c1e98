import { describe, expect, test } from 'vitest';
import { decidePermission } from './permissions.ts';

const rules = { trustedOrigin: 'https://chat.example.org', isMicrophoneAllowed: true };
const question = {
  permission: 'media',
  requestingOrigin: 'https://chat.example.org/',
  isMainFrame: true,
  mediaTypes: ['audio'],
};

function ask(permission: string): boolean {
  return decidePermission({ ...question, permission, mediaTypes: [] }, rules);
}

describe('the microphone', () => {
  test('is granted to the trusted page in the main frame while the user allows it', () => {
    expect(decidePermission(question, rules)).toBe(true);
    expect(decidePermission(question, { ...rules, isMicrophoneAllowed: false })).toBe(false);
    expect(decidePermission({ ...question, isMainFrame: false }, rules)).toBe(false);
  });

  test.each([[['video']], [['audio', 'video']], [[]], [['unknown']], [['audio', 'audio']]])(
    'is not for %j',
    (mediaTypes) => {
      expect(decidePermission({ ...question, mediaTypes }, rules)).toBe(false);
    },
  );

  test.each([
    'http://chat.example.org',
    'https://chat.example.org:444',
    'https://chat.example.org.evil.example',
    'https://evil.example/https://chat.example.org',
    'null',
    '',
    'file://',
  ])('is not for %j', (requestingOrigin) => {
    expect(decidePermission({ ...question, requestingOrigin }, rules)).toBe(false);
  });
});

describe('the rest', () => {
  test.each([
    'clipboard-sanitized-write',
    'fullscreen',
    'local-network',
    'local-network-access',
    'loopback-network',
    'persistent-storage',
  ])('%s is granted', (permission) => expect(ask(permission)).toBe(true));

  test.each([
    'notifications',
    'clipboard-read',
    'display-capture',
    'geolocation',
    'openExternal',
    'hid',
    'usb',
    'serial',
    'midiSysex',
    'fileSystem',
    'pointerLock',
    'idle-detection',
    'unknown',
    'something-new',
  ])('%s is denied', (permission) => expect(ask(permission)).toBe(false));
});
