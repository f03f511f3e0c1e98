import type { Language } from '@parley/contract';
import type { MailPurpose } from './mail.table.ts';

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
      lead: 'This key confirms your email address:',
      note: 'It is valid for 24 hours. If it has expired, you can ask for a new one.',
      action: { label: 'Confirm email', path: '/register/verify' },
      footer:
        'You get this mail because somebody registered at Parley with this address. If it was not you, there is nothing to do: without the key, the account cannot be used.',
    }),
    reset: (username) => ({
      subject: 'A new password for Parley',
      greeting: `Hello, ${username}!`,
      lead: 'With this key you can choose a new password:',
      note: 'It is valid for one hour and can be used once. Your devices will then have to log in again.',
      action: { label: 'Choose a new password', path: '/new-pw' },
      footer:
        'You get this mail because somebody asked for a new password for your account. If it was not you, there is nothing to do: your password stays as it is.',
    }),
    'password-changed': (username) => ({
      subject: 'Your Parley password was changed',
      greeting: `Hello, ${username}!`,
      lead: 'The password of your account was just changed, and your other devices were signed out.',
      note: 'If it was not you, ask for a new password at once: only somebody who reads your mail can set it.',
      action: { label: 'It was not me', path: '/forgot-pw' },
      footer: 'You get this mail because it concerns the safety of your account.',
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
