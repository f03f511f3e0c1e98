import { afterEach, expect, test, vi } from 'vitest';
import { join } from 'node:path';
import { setIdentity } from '../src/main/app-identity.electron.ts';
import { app, recorded } from './support/fake-electron.ts';

vi.mock('electron', () => import('./support/fake-electron.ts'));

const before = { isPackaged: app.isPackaged, userData: recorded.userData };
afterEach(() => {
  app.isPackaged = before.isPackaged;
  recorded.userData = before.userData;
  app.setPaths.clear();
  for (const name of Object.keys(app.identity)) delete app.identity[name];
});

function identify(isPackaged: boolean) {
  app.isPackaged = isPackaged;
  recorded.userData = '/data';
  setIdentity('win32');
  return { ...app.identity, userData: app.getPath('userData') };
}

test('an installed app has the ids of its installer and the default folder', () => {
  expect(identify(true)).toEqual({
    appId: 'org.parley.desktop',
    toastActivator: '{5B6F4E0C-7E0B-4C55-9C0E-2D1B6C3A9F41}',
    userData: '/data',
  });
});

test('an app that was started from the sources shares nothing with an installed one', () => {
  vi.spyOn(app.commandLine, 'hasSwitch').mockReturnValueOnce(false);
  expect(identify(false)).toEqual({
    name: 'Parley Development',
    appId: 'org.parley.desktop.development',
    toastActivator: expect.not.stringContaining('5B6F4E0C'),
    userData: join('/data', 'Parley Development'),
  });
});

test('an app that was started from the sources for a test keeps the folder of the test', () => {
  expect(identify(false).userData).toBe('/data');
});
