import type {
  CurrentUser,
  Language,
  LanguageBody,
  LoginBody,
  NewPasswordBody,
  PasswordChangeBody,
  RegisterResponse,
  RegisterBody,
  VerifiedResponse,
  VerifyBody,
  Volume,
  VolumeResponse,
} from '@parley/contract';
import { isText, validateResponse } from './responses.ts';
import type { ApiClient } from './client.ts';

/**
 * Signs in. `isVerified: false` means that the password is correct but the email is not verified.
 */
export function login(api: ApiClient, body: LoginBody): Promise<VerifiedResponse> {
  return api.call('login', { body });
}

/** Creates an account. The server emails a verification key. */
export function register(api: ApiClient, body: RegisterBody): Promise<RegisterResponse> {
  return api.call('register', { body });
}

/**
 * Verifies an email with the emailed key. The server responds with 409 to a wrong key and with 400
 * if the account is already verified.
 */
export function verify(api: ApiClient, body: VerifyBody): Promise<VerifiedResponse> {
  return api.call('verify', { body });
}

/**
 * Requests a new verification key. The response does not reveal whether the email is awaiting
 * verification.
 */
export function resendKey(api: ApiClient, email: string): Promise<unknown> {
  return api.call('resendKey', { body: { email } });
}

/** Requests a reset key by email. */
export function requestReset(api: ApiClient, email: string): Promise<unknown> {
  return api.call('requestReset', { body: { email } });
}

/** Sets a new password with a reset key. Ends every session of the account. */
export function resetPassword(api: ApiClient, body: NewPasswordBody): Promise<unknown> {
  return api.call('resetPassword', { body });
}

/** Fetches the current user. Rejects with `unauthenticated` for a guest. */
export async function fetchCurrentUser(api: ApiClient): Promise<CurrentUser> {
  return validateResponse(await api.call('getCurrentUser'), { username: isText });
}

/** Sets the language of the account, also used in its emails. */
export function changeLanguage(api: ApiClient, language: Language): Promise<LanguageBody> {
  return api.call('changeLanguage', { body: { language } });
}

/** Sets the sound volume of the account on all devices. */
export function changeVolume(api: ApiClient, volume: Volume): Promise<VolumeResponse> {
  return api.call('changeVolume', { body: { volume } });
}

/**
 * Changes the password and ends every other session. Rejects with `wrong_password` if the current
 * password is wrong.
 */
export function changePassword(api: ApiClient, body: PasswordChangeBody): Promise<unknown> {
  return api.call('changePassword', { body });
}

/** Deletes the account and all of its messages. */
export function deleteAccount(api: ApiClient): Promise<unknown> {
  return api.call('deleteAccount');
}

/** Ends this session. */
export function logout(api: ApiClient): Promise<unknown> {
  return api.call('logout');
}
