import { Type, type Static } from 'typebox';
import { LIMITS } from '../limits.ts';
import { AccountSettings } from './account-settings.schemas.ts';
import { LanguageSchema, Timestamp, Volume } from './common.schemas.ts';

// These bounds only reject garbage. The server normalizes values before it applies the actual
// rules.
const Email = Type.String({ minLength: 3, maxLength: LIMITS.emailMax + 64 });
const Username = Type.String({ minLength: 1, maxLength: 64 });
const Password = Type.String({ minLength: LIMITS.passwordMin, maxLength: LIMITS.passwordMax });
const VerifyKey = Type.String({
  minLength: LIMITS.verifyKeyLength,
  maxLength: LIMITS.verifyKeyLength,
});
const ResetKey = Type.String({
  minLength: LIMITS.resetKeyLength,
  maxLength: LIMITS.resetKeyLength,
});

/** An email and its password. */
export const LoginBody = Type.Object({ email: Email, password: Password });
export type LoginBody = Static<typeof LoginBody>;

/** `isVerified: false` means that the password is correct but no session was created. */
export const VerifiedResponse = Type.Object({ isVerified: Type.Boolean() });
export type VerifiedResponse = Static<typeof VerifiedResponse>;

/** The verified account. It is not signed in. */
export const VerifyResponse = Type.Object({
  isVerified: Type.Boolean(),
  chatroomId: Type.Optional(
    Type.String({ description: 'The chat with the user whose invitation the registration used' }),
  ),
});
export type VerifyResponse = Static<typeof VerifyResponse>;

/** A new account. */
export const RegisterBody = Type.Object({
  email: Email,
  username: Username,
  password: Password,
  language: Type.Optional(LanguageSchema),
  /**
   * Required if registration is by invitation. A user's invitation also starts a chat with that user
   * once the account is verified.
   */
  invitation: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
});
export type RegisterBody = Static<typeof RegisterBody>;

/** The created account. `isVerified` is false until the user enters the emailed key. */
export const RegisterResponse = Type.Object({
  username: Type.String(),
  isVerified: Type.Boolean(),
});
export type RegisterResponse = Static<typeof RegisterResponse>;

/** The emailed key that verifies an address. */
export const VerifyBody = Type.Object({ email: Email, key: VerifyKey });
export type VerifyBody = Static<typeof VerifyBody>;

/** The address to send a key to. */
export const EmailBody = Type.Object({ email: Email });
export type EmailBody = Static<typeof EmailBody>;

/** A new password, authorized by the emailed key. */
export const NewPasswordBody = Type.Object({ email: Email, key: ResetKey, newPw: Password });
export type NewPasswordBody = Static<typeof NewPasswordBody>;

/** The address to change to, authorized by the password. */
export const EmailChangeBody = Type.Object({ email: Email, password: Password });
export type EmailChangeBody = Static<typeof EmailChangeBody>;

/** The address that the account has now. */
export const UsermailResponse = Type.Object({ usermail: Type.String() });
export type UsermailResponse = Static<typeof UsermailResponse>;

/** The key in the link that was mailed to the former address. */
export const RestoreEmailBody = Type.Object({
  key: Type.String({ minLength: LIMITS.restoreKeyLength, maxLength: 64 }),
});
export type RestoreEmailBody = Static<typeof RestoreEmailBody>;

/** The email addresses of the current user. */
export const UserEmails = Type.Object({
  usermail: Type.String(),
  newUsermail: Type.Optional(
    Type.String({
      description: 'The address that the user wants to change to, while its key can be entered',
    }),
  ),
});
export type UserEmails = Static<typeof UserEmails>;

/** The current user. */
export const CurrentUser = Type.Object({
  username: Type.String(),
  ...UserEmails.properties,
  dateOfRegistration: Timestamp,
  ...AccountSettings.properties,
});
export type CurrentUser = Static<typeof CurrentUser>;

/** The language of the app and of emails. */
export const LanguageBody = Type.Object({ language: LanguageSchema });
export type LanguageBody = Static<typeof LanguageBody>;

/** The volume to set. `loud` means `full`. */
export const VolumeBody = Type.Object({ volume: Type.Union([Volume, Type.Literal('loud')]) });
export type VolumeBody = Static<typeof VolumeBody>;

/** The stored volume. */
export const VolumeResponse = Type.Object({ volume: Volume });
export type VolumeResponse = Static<typeof VolumeResponse>;

/** A new password, authorized by the current one. */
export const PasswordChangeBody = Type.Object({ oldPassword: Password, newPassword: Password });
export type PasswordChangeBody = Static<typeof PasswordChangeBody>;
