import type { Context } from '../context.ts';
import type { KnownDevices } from './known-devices.ts';
import type { PasswordHasher } from './password-hasher.ts';

/** What the services of accounts work with. */
export interface AccountContext extends Context {
  readonly passwords: PasswordHasher;
  readonly devices: KnownDevices;
}
