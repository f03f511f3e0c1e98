import type { Language } from '@parley/contract';

/** The words of the app's own windows. Each has its slot in `data-text` of the page. */
const en = {
  title: 'Where is your Parley?',
  lead: 'Parley talks to a server of your own choice. Enter its address; whoever runs it has told you.',
  address: 'Address of the server',
  submit: 'Connect',
  checking: 'Looking…',
  known: 'Your servers',
  open: 'Open',
  remove: 'Remove',
  removeOf: (host: string) => `Remove ${host}`,
  removeAsk: (host: string) =>
    `Remove ${host}? You are signed out there, and its drafts and unsent messages on this device are erased.`,
  current: 'in use',
  cancel: 'Cancel',
  invalid: 'This does not look like an address. Example: chat.example.org',
  'no-such-host': (host: string) => `There is no server called ${host}. Check the spelling.`,
  'no-connection': (host: string) =>
    `${host} does not answer. Check your connection, or ask whoever runs the server.`,
  'not-parley': (host: string) => `${host} answers, but it is not a Parley server.`,
  'server-too-old': (host: string) =>
    `The Parley server at ${host} is too old for this app. Ask whoever runs it to update it.`,
  'server-too-new': (host: string) =>
    `The Parley server at ${host} is newer than this app. Install the newest version of the app.`,
  certificateTitle: 'This certificate is not trusted',
  certificate: (host: string) =>
    `${host} shows a certificate that your system does not trust. Go on only if whoever runs the server tells you exactly this fingerprint:`,
  certificateTrust: 'Trust this certificate',
  plainTitle: 'This connection is not encrypted',
  plain: (host: string) =>
    `${host} is there, but only without encryption. Whoever is in between can read your password and your messages. Go on only in a network that you trust.`,
  plainTrust: 'Connect without encryption',
  changed: 'The server answers differently now. Look again.',
  proxyTitle: 'Sign in to the proxy',
  proxyLead: (host: string) => `The proxy ${host} wants to know who you are.`,
  username: 'Username',
  password: 'Password',
  signIn: 'Sign in',
};

type ShellTexts = typeof en;

const de: ShellTexts = {
  title: 'Wo ist dein Parley?',
  lead: 'Parley spricht mit einem Server deiner Wahl. Gib seine Adresse ein; du hast sie von der Person, die ihn betreibt.',
  address: 'Adresse des Servers',
  submit: 'Verbinden',
  checking: 'Wird gesucht…',
  known: 'Deine Server',
  open: 'Öffnen',
  remove: 'Entfernen',
  removeOf: (host) => `${host} entfernen`,
  removeAsk: (host) =>
    `${host} entfernen? Du wirst dort abgemeldet, und Entwürfe und nicht gesendete Nachrichten auf diesem Gerät werden gelöscht.`,
  current: 'in Gebrauch',
  cancel: 'Abbrechen',
  invalid: 'Das sieht nicht nach einer Adresse aus. Beispiel: chat.example.org',
  'no-such-host': (host) => `Einen Server namens ${host} gibt es nicht. Prüf die Schreibweise.`,
  'no-connection': (host) =>
    `${host} antwortet nicht. Prüf deine Verbindung oder frag die Person, die den Server betreibt.`,
  'not-parley': (host) => `${host} antwortet, ist aber kein Parley-Server.`,
  'server-too-old': (host) =>
    `Der Parley-Server auf ${host} ist zu alt für diese App. Bitte die Person, die ihn betreibt, ihn zu aktualisieren.`,
  'server-too-new': (host) =>
    `Der Parley-Server auf ${host} ist neuer als diese App. Installier die neueste Version der App.`,
  certificateTitle: 'Diesem Zertifikat wird nicht vertraut',
  certificate: (host) =>
    `${host} zeigt ein Zertifikat, dem dein System nicht vertraut. Mach nur weiter, wenn dir die Person, die den Server betreibt, genau diesen Fingerabdruck nennt:`,
  certificateTrust: 'Diesem Zertifikat vertrauen',
  plainTitle: 'Diese Verbindung ist nicht verschlüsselt',
  plain: (host) =>
    `${host} ist da, aber nur unverschlüsselt. Wer dazwischensitzt, kann dein Passwort und deine Nachrichten lesen. Mach nur in einem Netz weiter, dem du vertraust.`,
  plainTrust: 'Unverschlüsselt verbinden',
  changed: 'Der Server antwortet jetzt anders. Such noch einmal.',
  proxyTitle: 'Am Proxy anmelden',
  proxyLead: (host) => `Der Proxy ${host} möchte wissen, wer du bist.`,
  username: 'Benutzername',
  password: 'Passwort',
  signIn: 'Anmelden',
};

/** The words in one language. */
export function shellTexts(language: Language): ShellTexts {
  return language === 'de' ? de : en;
}

/** Puts the words into the elements that name them with `data-text`. */
export function showTexts(root: Document, texts: ShellTexts): void {
  for (const element of root.querySelectorAll<HTMLElement>('[data-text]')) {
    const text = texts[element.dataset['text'] as keyof ShellTexts];
    if (typeof text === 'string') element.textContent = text;
  }
}
