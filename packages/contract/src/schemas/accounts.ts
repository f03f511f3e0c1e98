import { Type, type Static } from 'typebox';
import { LIMITS } from '../limits.ts';
import { Language, Timestamp, Volume } from './common.ts';

// Bounds only keep garbage out: the server trims and normalises before it applies the real rules.
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

/** `isVerified: false` means that the password was right but no session was made. */
export const VerifiedResponse = Type.Object({ isVerified: Type.Boolean() });
export type VerifiedResponse = Static<typeof VerifiedResponse>;

/** A new account. */
export const RegisterBody = Type.Object({
  email: Email,
  username: Username,
  password: Password,
  language: Type.Optional(Language),
  /** Needed where registration is by invitation; passed over elsewhere. */
  invitation: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
});
export type RegisterBody = Static<typeof RegisterBody>;

/** The account as it was made; `isVerified` is false until the key of the mail is entered. */
export const RegisterResponse = Type.Object({
  username: Type.String(),
  isVerified: Type.Boolean(),
});
export type RegisterResponse = Static<typeof RegisterResponse>;

/** The key from the mail that confirms an address. */
export const VerifyBody = Type.Object({ email: Email, key: VerifyKey });
export type VerifyBody = Static<typeof VerifyBody>;

/** Whose key is to be mailed. */
export const EmailBody = Type.Object({ email: Email });
export type EmailBody = Static<typeof EmailBody>;

/** A new password, by the key from the mail. */
export const NewPasswordBody = Type.Object({ email: Email, key: ResetKey, newPw: Password });
export type NewPasswordBody = Static<typeof NewPasswordBody>;

/** The person who is signed in. */
export const CurrentUser = Type.Object({
  username: Type.String(),
  usermail: Type.String(),
  dateOfRegistration: Timestamp,
  language: Language,
  volume: Volume,
});
export type CurrentUser = Static<typeof CurrentUser>;

/** The language of the client and of mails. */
export const LanguageBody = Type.Object({ language: Language });
export type LanguageBody = Static<typeof LanguageBody>;

/** `loud` is read as `full`. */
export const VolumeBody = Type.Object({ volume: Type.Union([Volume, Type.Literal('loud')]) });
export type VolumeBody = Static<typeof VolumeBody>;

/** The volume as it is kept. */
export const VolumeResponse = Type.Object({ volume: Volume });
export type VolumeResponse = Static<typeof VolumeResponse>;

/** A new password, by the present one. */
export const PasswordChangeBody = Type.Object({ oldPassword: Password, newPassword: Password });
export type PasswordChangeBody = Static<typeof PasswordChangeBody>;
