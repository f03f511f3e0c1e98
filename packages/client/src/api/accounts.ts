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

/** `isVerified: false` means that the password was right but the email is not verified yet. */
export function login(api: ApiClient, body: LoginBody): Promise<VerifiedResponse> {
  return api.call('login', { body });
}

/** Makes an account; a key to verify its email with is mailed. */
export function register(api: ApiClient, body: RegisterBody): Promise<RegisterResponse> {
  return api.call('register', { body });
}

/** Takes the mailed key. A wrong one is a 409, an account that is verified already a 400. */
export function verify(api: ApiClient, body: VerifyBody): Promise<VerifiedResponse> {
  return api.call('verify', { body });
}

/** Has a new verification key sent, if the email waits for one; the response never tells. */
export function resendKey(api: ApiClient, email: string): Promise<unknown> {
  return api.call('resendKey', { body: { email } });
}

/** Has a reset key sent. */
export function forgotPassword(api: ApiClient, email: string): Promise<unknown> {
  return api.call('requestReset', { body: { email } });
}

/** Sets a new password by a reset key; ends every session of the account. */
export function setNewPassword(api: ApiClient, body: NewPasswordBody): Promise<unknown> {
  return api.call('resetPassword', { body });
}

/** Fetches the current user. Rejects with `unauthenticated` for a guest. */
export async function fetchCurrentUser(api: ApiClient): Promise<CurrentUser> {
  return validateResponse(await api.call('getCurrentUser'), { username: isText });
}

/** Sets the language of the account, which its mails are written in too. */
export function changeLanguage(api: ApiClient, language: Language): Promise<LanguageBody> {
  return api.call('changeLanguage', { body: { language } });
}

/** Sets how loud the account's sounds are, on all devices. */
export function changeVolume(api: ApiClient, volume: Volume): Promise<VolumeResponse> {
  return api.call('changeVolume', { body: { volume } });
}

/** Changes the password; ends every other session. A wrong old one is `wrong_password`. */
export function changePassword(api: ApiClient, body: PasswordChangeBody): Promise<unknown> {
  return api.call('changePassword', { body });
}

/** Erases the account with everything it sent. */
export function deleteAccount(api: ApiClient): Promise<unknown> {
  return api.call('deleteAccount');
}

/** Ends this session. */
export function logout(api: ApiClient): Promise<unknown> {
  return api.call('logout');
}
