import type { ErrorCode, Language } from '@parley/contract';

/** What a person reads of each refusal, in both languages. */
export const ERROR_MESSAGES: Record<Language, Record<ErrorCode, string>> = {
  en: {
    invalid_request: "The request isn't valid.",
    username_not_allowed:
      'This username is not allowed: use letters of one script, with two marks on a letter at most.',
    already_verified: 'Your email is already verified.',
    wrong_password: 'The current password is wrong.',
    self_chat: "You can't start a chat with yourself.",
    media_not_editable: 'Only text messages can be edited.',
    unauthenticated: 'Please log in.',
    self_search: "You can't search yourself.",
    reset_key_wrong: 'The key is not correct.',
    foreign_origin: "Requests from other sites aren't allowed.",
    not_sender: 'Only the sender can change this message.',
    partner_deleted: 'You cannot send messages to a deleted user!',
    registration_closed: "This server isn't accepting new registrations.",
    invitation_invalid: 'You need a valid, unused invitation to register.',
    domain_not_allowed: "You can't register with an email address from this domain.",
    quota_media:
      "You've used up your space for images and recordings. Delete some to free up space.",
    quota_messages: "You've reached this server's daily message limit.",
    media_blocked: 'This image is hidden because it could freeze your device.',
    not_found: 'Not found.',
    wrong_credentials: 'Email or password is wrong.',
    user_not_found: 'User not found.',
    room_not_found: 'No such chat.',
    message_not_found: 'Message not found.',
    media_not_found: 'File not found.',
    too_slow: 'The upload took too long. Try again with a faster connection.',
    account_taken: 'Username or email already taken.',
    key_mismatch: "Key and email don't match.",
    too_large: 'The request is too large.',
    media_too_complex: 'This image is too large or complex to display safely.',
    recording_too_long: 'Recordings can be up to two hours long.',
    unsupported_media: "This file type isn't supported.",
    rate_limited: 'Too many requests. Please wait a moment.',
    internal: 'Internal server error.',
    unavailable: 'The server is temporarily unavailable. Please try again.',
    storage_full: 'The server is out of space. Nothing was changed.',
  },
  de: {
    invalid_request: 'Die Anfrage ist ungültig.',
    username_not_allowed:
      'Dieser Benutzername ist nicht erlaubt: Nimm Buchstaben einer einzigen Schrift, mit höchstens zwei Zeichen auf einem Buchstaben.',
    already_verified: 'Deine E-Mail-Adresse ist schon bestätigt.',
    wrong_password: 'Das aktuelle Passwort ist falsch.',
    self_chat: 'Du kannst keinen Chat mit dir selbst beginnen.',
    media_not_editable: 'Nur Textnachrichten lassen sich bearbeiten.',
    unauthenticated: 'Bitte melde dich an.',
    self_search: 'Du kannst nicht nach dir selbst suchen.',
    reset_key_wrong: 'Der Code stimmt nicht.',
    foreign_origin: 'Anfragen von anderen Seiten werden abgelehnt.',
    not_sender: 'Nur wer die Nachricht gesendet hat, kann sie ändern.',
    partner_deleted: 'Du kannst keine Nachrichten an ein gelöschtes Konto senden!',
    registration_closed: 'Dieser Server nimmt keine neuen Registrierungen an.',
    invitation_invalid: 'Für die Registrierung ist eine gültige, unverbrauchte Einladung nötig.',
    domain_not_allowed: 'Mit Adressen dieser Domain kann man sich hier nicht registrieren.',
    quota_media:
      'Dein Platz für Bilder und Aufnahmen ist aufgebraucht. Lösch einige, um Platz zu schaffen.',
    quota_messages: 'Du hast heute so viele Nachrichten gesendet, wie dieser Server erlaubt.',
    media_blocked:
      'Dieses Bild wird nicht angezeigt, weil es dein Gerät zum Stillstand bringen könnte.',
    not_found: 'Nicht gefunden.',
    wrong_credentials: 'E-Mail-Adresse oder Passwort ist falsch.',
    user_not_found: 'Benutzer nicht gefunden.',
    room_not_found: 'Diesen Chat gibt es nicht.',
    message_not_found: 'Diese Nachricht gibt es nicht.',
    media_not_found: 'Diese Datei gibt es nicht.',
    too_slow:
      'Das Hochladen war zu langsam. Bitte versuch es mit einer besseren Verbindung noch einmal.',
    account_taken: 'Benutzername oder E-Mail-Adresse ist schon vergeben.',
    key_mismatch: 'Code und E-Mail-Adresse passen nicht zusammen.',
    too_large: 'Die Anfrage ist zu groß.',
    media_too_complex: 'Dieses Bild ist zu groß oder zu komplex, um es sicher anzuzeigen.',
    recording_too_long: 'Aufnahmen dürfen höchstens zwei Stunden lang sein.',
    unsupported_media: 'Dieser Dateityp wird nicht unterstützt.',
    rate_limited: 'Zu viele Anfragen. Bitte warte einen Moment.',
    internal: 'Interner Serverfehler.',
    unavailable: 'Der Server ist vorübergehend nicht verfügbar. Bitte versuch es noch einmal.',
    storage_full: 'Der Speicher des Servers ist voll. Es wurde nichts geändert.',
  },
};

const MINUTE = 60;

/** The text for `rate_limited`, with the wait in minutes where it is more than one. */
export function rateLimitedMessage(language: Language, seconds: number): string {
  if (seconds <= MINUTE) return ERROR_MESSAGES[language].rate_limited;
  const minutes = Math.ceil(seconds / MINUTE);
  return language === 'de'
    ? `Zu viele Anfragen. Bitte versuch es in ${minutes} Minuten noch einmal.`
    : `Too many requests. Please try again in ${minutes} minutes.`;
}
