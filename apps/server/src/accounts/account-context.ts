import type { Context } from '../context.ts';
import type { KnownDevices } from '../devices/known-devices.ts';
import type { PasswordHasher } from './password-hasher.ts';

/** The context of the account services. */
export interface AccountContext extends Context {
  readonly passwords: PasswordHasher;
  readonly devices: KnownDevices;
}
