import { expect, test, vi } from 'vitest';
import { canInstallUpdates, type Installation } from './install-ability.ts';

const SIGNED = `Executable=/Applications/Parley.app/Contents/MacOS/Parley
Identifier=org.parley.desktop
Authority=Developer ID Application: Example (AB12CD34EF)
TeamIdentifier=AB12CD34EF
`;
const AD_HOC = `Executable=/Applications/Parley.app/Contents/MacOS/Parley
Signature=adhoc
TeamIdentifier=not set
`;

function installation(change: Partial<Installation>): Installation {
  return {
    platform: 'linux',
    isPackaged: true,
    executable: '/opt/Parley/parley',
    appImage: undefined,
    isWritable: async () => true,
    describeSignature: async () => SIGNED,
    ...change,
  };
}
const mac: Partial<Installation> = {
  platform: 'darwin',
  executable: '/Applications/Parley.app/Contents/MacOS/Parley',
};

test.each<[string, boolean, Partial<Installation>]>([
  ['an installation on Windows', true, { platform: 'win32' }],
  ['an app that runs from the sources', false, { platform: 'win32', isPackaged: false }],
  ['a .deb', false, {}],
  ['an AppImage', true, { appImage: '/home/a/Parley.AppImage' }],
  [
    'an AppImage in a system folder',
    false,
    { appImage: '/opt/Parley.AppImage', isWritable: async () => false },
  ],
  ['an AppImage with a relative path', false, { appImage: 'Parley.AppImage' }],
  ['a signed app on macOS', true, mac],
  ['an app with an ad-hoc signature', false, { ...mac, describeSignature: async () => AD_HOC }],
  [
    'an app whose signature cannot be read',
    false,
    { ...mac, describeSignature: () => Promise.reject(new Error('not signed at all')) },
  ],
  [
    'an app on its disk image',
    false,
    { ...mac, executable: '/Volumes/Parley 1.0.0/Parley.app/Contents/MacOS/Parley' },
  ],
  [
    'an app that macOS runs from a read-only copy',
    false,
    { ...mac, executable: '/private/var/AppTranslocation/1/d/Parley.app/Contents/MacOS/Parley' },
  ],
])('canInstallUpdates for %s resolves to %s', async (_name, expected, change) => {
  expect(await canInstallUpdates(installation(change))).toBe(expected);
});

test('reads the signature of the bundle and checks the folder of the AppImage', async () => {
  const describeSignature = vi.fn<Installation['describeSignature']>(async () => SIGNED);
  await canInstallUpdates(installation({ ...mac, describeSignature }));
  expect(describeSignature).toHaveBeenCalledWith('/Applications/Parley.app');
  const isWritable = vi.fn<Installation['isWritable']>(async () => true);
  await canInstallUpdates(installation({ appImage: '/home/a/Parley.AppImage', isWritable }));
  expect(isWritable).toHaveBeenCalledWith('/home/a');
});
