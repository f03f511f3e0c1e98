import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { fakePrograms } from '../../../test/support/fake-programs.ts';
import { hasTrayHost, waitForTray } from '../tray/tray-host.ts';
import { isDoNotDisturb } from './do-not-disturb.ts';
import { readDesktopFlag } from './session-bus.ts';

const isLinux = process.platform === 'linux';

describe.skipIf(!isLinux)('whether Linux has a tray', () => {
  test.each([
    ['GLib reports one', { gdbus: 'echo "(<true>,)"' }, true],
    ['GLib reports none', { gdbus: 'echo "(<false>,)"' }, false],
    ['systemd reports one', { busctl: 'echo "b true"' }, true],
    ['no service watches trays', { gdbus: 'echo ServiceUnknown >&2; exit 1' }, false],
    ['there is no tool', {}, false],
  ])('is detected correctly if %s', async (_case, programs, expected) => {
    onTestFinished(await fakePrograms(programs));
    expect(await hasTrayHost()).toBe(expected);
  });

  test('is false if the desktop does not respond', { timeout: 20_000 }, async () => {
    onTestFinished(
      await fakePrograms({ gdbus: 'exec /bin/sleep 60', busctl: 'exec /bin/sleep 60' }),
    );
    expect(await hasTrayHost()).toBe(false);
  });

  test('readDesktopFlag resolves to undefined for an unknown setting', async () => {
    onTestFinished(await fakePrograms({ gsettings: '[ "$3" = known ] && echo false' }));
    expect(await readDesktopFlag('org.example', 'known')).toBe(false);
    expect(await readDesktopFlag('org.example', 'unknown')).toBeUndefined();
  });
});

describe.skipIf(!isLinux)('whether Linux suppresses notifications', () => {
  const kde = { gdbus: 'echo "(<true>,)"' };
  const gnome = { gdbus: 'exit 1', gsettings: '[ "$3" = show-banners ] && echo false' };
  test.each([
    ['KDE inhibits notifications', kde, 'KDE', true],
    ['GNOME inhibits notifications', gnome, 'ubuntu:GNOME', true],
    ['GNOME shows them', { gsettings: 'echo true' }, 'GNOME', false],
    ['another desktop runs and GNOME settings exist', gnome, 'XFCE', false],
    ['no tool can be found', {}, undefined, false],
  ])('is detected correctly if %s', async (_case, programs, desktops, expected) => {
    onTestFinished(await fakePrograms(programs));
    expect(await isDoNotDisturb('linux', desktops)).toBe(expected);
    expect(await isDoNotDisturb('darwin', desktops)).toBe(false);
  });
});

describe('a panel that starts after the app', () => {
  beforeEach(() => {
    vi.useFakeTimers();
    return () => vi.useRealTimers();
  });

  test('is awaited for half a minute at most', async () => {
    const results = [false, false, true];
    const late = waitForTray(async () => results.shift() ?? true);
    await vi.runAllTimersAsync();
    expect(await late).toBe(true);
    const never = waitForTray(async () => false);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await never).toBe(false);
  });
});
