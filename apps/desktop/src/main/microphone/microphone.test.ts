import { describe, expect, test, vi } from 'vitest';
import { findMicrophoneSettings, getMicrophoneState } from './microphone.ts';

type Status = 'not-determined' | 'granted' | 'denied' | 'restricted' | 'unknown';

function checkMicrophone(
  platform: NodeJS.Platform,
  status: Status,
  consent: () => Promise<boolean>,
) {
  const askForMediaAccess = vi.fn<() => Promise<boolean>>(consent);
  const system = { getMediaAccessStatus: () => status, askForMediaAccess };
  const state = getMicrophoneState({ platform, system, isAllowedInSettings: () => true });
  return { state, askForMediaAccess };
}
const yes = async () => true;
const no = async () => false;
const fail = () => Promise.reject(new Error('no entitlement'));

describe('the microphone', () => {
  test.each([
    ['darwin', 'granted', 'available'],
    ['darwin', 'denied', 'denied-by-system'],
    ['darwin', 'restricted', 'denied-by-system'],
    ['win32', 'denied', 'denied-by-system'],
    ['win32', 'not-determined', 'available'],
    ['linux', 'denied', 'available'],
  ] as const)(
    'platform %s with status %s makes it %s without a consent dialog',
    async (platform, status, expected) => {
      const { state, askForMediaAccess } = checkMicrophone(platform, status, no);
      expect(await state).toBe(expected);
      expect(askForMediaAccess).not.toHaveBeenCalled();
    },
  );

  test('requires consent on macOS if the user was never asked', async () => {
    expect(await checkMicrophone('darwin', 'not-determined', yes).state).toBe('available');
    expect(await checkMicrophone('darwin', 'not-determined', no).state).toBe('denied-by-system');
  });

  test('counts as available if the request for consent fails', async () => {
    expect(await checkMicrophone('darwin', 'not-determined', fail).state).toBe('available');
  });

  test('is denied without asking for consent if the user has switched it off', async () => {
    const system = { getMediaAccessStatus: vi.fn<() => Status>(), askForMediaAccess: yes };
    const state = await getMicrophoneState({
      platform: 'darwin',
      system,
      isAllowedInSettings: () => false,
    });
    expect(state).toBe('denied');
    expect(system.getMediaAccessStatus).not.toHaveBeenCalled();
  });
});

test('finds the settings page of macOS and Windows', () => {
  expect(findMicrophoneSettings('darwin')).toContain('Privacy_Microphone');
  expect(findMicrophoneSettings('win32')).toBe('ms-settings:privacy-microphone');
  expect(findMicrophoneSettings('linux')).toBeUndefined();
});
