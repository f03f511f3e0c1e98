import { FuseV1Options } from '@electron/fuses';

/** The values of a fuse in the binary. */
const ON = '1'.charCodeAt(0);
const OFF = '0'.charCodeAt(0);

/** The fuses of every package, as `getCurrentFuseWire` returns them. */
export const EXPECTED_FUSES = {
  [FuseV1Options.RunAsNode]: OFF,
  [FuseV1Options.EnableCookieEncryption]: ON,
  [FuseV1Options.EnableNodeOptionsEnvironmentVariable]: OFF,
  [FuseV1Options.EnableNodeCliInspectArguments]: OFF,
  [FuseV1Options.EnableEmbeddedAsarIntegrityValidation]: ON,
  [FuseV1Options.OnlyLoadAppFromAsar]: ON,
  [FuseV1Options.LoadBrowserProcessSpecificV8Snapshot]: OFF,
  [FuseV1Options.GrantFileProtocolExtraPrivileges]: OFF,
};
