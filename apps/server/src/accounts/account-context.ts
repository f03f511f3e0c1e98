import type { Context } from '../context.ts';
import type { KnownDevices } from '../devices/known-devices.ts';
import type { PasswordHasher } from './password-hasher.ts';

/** The context of the account services. */
export interface AccountContext extends Context {
  readonly passwords: PasswordHasher;
  readonly devices: KnownDevices;
}

/** The context of what gives an account an email address: registrations and changes of the address. */
export interface NewEmailContext extends AccountContext {
  /** Resolves to whether mails can be sent to addresses with other letters than ASCII before the `@`. */
  readonly supportsSmtpUtf8: () => Promise<boolean>;
}
