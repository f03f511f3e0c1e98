import type { Language } from '@parley/contract';
import type { MailPurpose } from '../storage/tables/outgoing-mails.ts';

/** What a mail says, without its form. */
export interface MailText {
  subject: string;
  greeting: string;
  /** Before the key. */
  lead: string;
  /** After the key. */
  note: string;
  /** Words on the button, where the address of the site is known, and the path that it opens. */
  action?: { label: string; path: string };
  /** Why the person gets this mail. */
  footer: string;
}

type Write = (username: string) => MailText;

/** The mails of each purpose in both languages. */
export const MAIL_TEXTS: Record<Language, Record<MailPurpose, Write>> = {
  en: {
    verify: (username) => ({
      subject: 'Confirm your email for Parley',
      greeting: `Welcome, ${username}!`,
      lead: 'Enter this key to confirm your email address:',
      note: "It's valid for 24 hours. If it expires, you can request a new one.",
      action: { label: 'Confirm email', path: '/register/verify' },
      footer:
        "You're receiving this email because someone used this address to register for Parley. If it wasn't you, you can ignore it: the account can't be used without the key.",
    }),
    reset: (username) => ({
      subject: 'Reset your Parley password',
      greeting: `Hello, ${username}!`,
      lead: 'Use this key to set a new password:',
      note: "It's valid for one hour and can be used once. Afterward, you'll need to log in again on all your devices.",
      action: { label: 'Set a new password', path: '/new-pw' },
      footer:
        "You're receiving this email because someone requested a new password for your account. If it wasn't you, you can ignore it: your password stays the same.",
    }),
    'password-changed': (username) => ({
      subject: 'Your Parley password was changed',
      greeting: `Hello, ${username}!`,
      lead: 'Your password was just changed, and you were logged out on your other devices.',
      note: "If it wasn't you, reset your password right away. Only someone with access to your email can do that.",
      action: { label: "This wasn't me", path: '/forgot-pw' },
      footer: "You're receiving this email because it's about the security of your account.",
    }),
  },
  de: {
    verify: (username) => ({
      subject: 'Bestätige deine E-Mail-Adresse für Parley',
      greeting: `Willkommen, ${username}!`,
      lead: 'Dieser Code bestätigt deine E-Mail-Adresse:',
      note: 'Er gilt 24 Stunden. Ist er abgelaufen, kannst du einen neuen anfordern.',
      action: { label: 'E-Mail bestätigen', path: '/register/verify' },
      footer:
        'Du bekommst diese Mail, weil sich jemand mit dieser Adresse bei Parley registriert hat. Wenn du das nicht warst, musst du nichts tun: Ohne den Code ist das Konto nicht nutzbar.',
    }),
    reset: (username) => ({
      subject: 'Ein neues Passwort für Parley',
      greeting: `Hallo, ${username}!`,
      lead: 'Mit diesem Code kannst du ein neues Passwort wählen:',
      note: 'Er gilt eine Stunde und nur einmal. Deine Geräte müssen sich danach neu anmelden.',
      action: { label: 'Neues Passwort wählen', path: '/new-pw' },
      footer:
        'Du bekommst diese Mail, weil jemand ein neues Passwort für dein Konto angefordert hat. Wenn du das nicht warst, musst du nichts tun: Dein Passwort bleibt, wie es ist.',
    }),
    'password-changed': (username) => ({
      subject: 'Dein Passwort für Parley wurde geändert',
      greeting: `Hallo, ${username}!`,
      lead: 'Das Passwort deines Kontos wurde soeben geändert und deine anderen Geräte wurden abgemeldet.',
      note: 'Wenn du das nicht warst, fordere sofort ein neues Passwort an: Setzen kann es nur, wer deine Mails liest.',
      action: { label: 'Das war ich nicht', path: '/forgot-pw' },
      footer: 'Du bekommst diese Mail, weil sie die Sicherheit deines Kontos betrifft.',
    }),
  },
};
