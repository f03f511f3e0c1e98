import { describe, expect, test } from 'vitest';
import { decidePermission } from './permissions.ts';

const rules = { trustedOrigin: 'https://chat.example.org', isMicrophoneAllowed: true };
const request = {
  permission: 'media',
  requestingOrigin: 'https://chat.example.org/',
  isMainFrame: true,
  mediaTypes: ['audio'],
};

function isGranted(permission: string): boolean {
  return decidePermission({ ...request, permission, mediaTypes: [] }, rules);
}

describe('the microphone', () => {
  test('is granted to the trusted page in the main frame while the user allows it', () => {
    expect(decidePermission(request, rules)).toBe(true);
    expect(decidePermission(request, { ...rules, isMicrophoneAllowed: false })).toBe(false);
    expect(decidePermission({ ...request, isMainFrame: false }, rules)).toBe(false);
  });

  test.each([[['video']], [['audio', 'video']], [[]], [['unknown']], [['audio', 'audio']]])(
    'is denied if the requested media are %j',
    (mediaTypes) => {
      expect(decidePermission({ ...request, mediaTypes }, rules)).toBe(false);
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
  ])('is denied to the origin %j', (requestingOrigin) => {
    expect(decidePermission({ ...request, requestingOrigin }, rules)).toBe(false);
  });
});

describe('another permission', () => {
  test.each([
    'clipboard-sanitized-write',
    'fullscreen',
    'local-network',
    'local-network-access',
    'loopback-network',
    'persistent-storage',
  ])('%s is granted to the page', (permission) => expect(isGranted(permission)).toBe(true));

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
  ])('%s is denied to the page', (permission) => expect(isGranted(permission)).toBe(false));
});
