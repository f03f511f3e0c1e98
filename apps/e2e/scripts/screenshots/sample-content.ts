import type { TestLanguage } from '../../src/support/texts.ts';

/** A message of the shown conversation. */
export type Turn =
  | { readonly by: 'self' | 'friend'; readonly text: string; readonly edited?: string }
  | { readonly by: 'self' | 'friend'; readonly media: 'image' | 'audio' };

/** The users and messages of one language. */
export interface SampleContent {
  readonly self: string;
  /** A user without any chats. */
  readonly newcomer: string;
  /** A user with message requests. */
  readonly requested: string;
  readonly friend: string;
  /** A user who has sent several unread messages. */
  readonly unread: string;
  /** A user who has sent one message and deleted the account. */
  readonly deletedPartner: string;
  /** A user whom `self` has not written to yet. */
  readonly newContact: string;
  readonly turns: readonly Turn[];
  readonly unreadTexts: readonly string[];
  /** More rows of the chat list: sender and message. */
  readonly others: readonly (readonly [username: string, text: string])[];
  readonly draft: string;
  readonly unsent: string;
  readonly invitationNote: string;
}

const ENGLISH: SampleContent = {
  self: 'Mia',
  newcomer: 'Robin',
  requested: 'Sam',
  friend: 'Jonas',
  unread: 'Clara_B',
  deletedPartner: 'Otto',
  newContact: 'Nell.Hart',
  turns: [
    { by: 'friend', text: 'Good morning! Are you still coming to the lake on Saturday? ☀️' },
    { by: 'self', text: 'Of course. I have already packed the picnic blanket.' },
    { by: 'self', text: 'And the good cheese 🧀' },
    { by: 'friend', text: 'You are the best person I know.' },
    { by: 'friend', text: '😍' },
    { by: 'friend', text: 'The boats leave every half hour: https://example.org/lake/boats' },
    { by: 'self', text: 'Let us take the one at nin', edited: 'Let us take the one at nine.' },
    { by: 'self', media: 'image' },
    { by: 'self', text: 'I painted this there last summer.' },
    { by: 'friend', text: 'That is wonderful! It has to hang in your kitchen.' },
    { by: 'friend', media: 'audio' },
    { by: 'self', text: 'Your laugh at the end! See you at nine 👋' },
  ],
  unreadTexts: [
    'I found the book you were looking for!',
    'It was behind the atlas, of all places.',
    'Shall I bring it along on Thursday?',
  ],
  others: [
    ['theo', 'Thanks, it runs again. You saved my evening.'],
    ['Amelia.W', 'The train is on time, for once 🚆'],
    ['grandpa_joe', 'I can see your picture now. How do I make it bigger?'],
    ['Yusuf', 'Deal. Half past seven at the usual place.'],
  ],
  draft: 'I will bring the lemonade, and if the weather holds',
  unsent: 'Don’t forget the sun hat!',
  invitationNote: 'Rowing club',
};

const GERMAN: SampleContent = {
  self: 'Marie',
  newcomer: 'Kim',
  requested: 'Toni',
  friend: 'Jakob',
  unread: 'Klara_B',
  deletedPartner: 'Oskar',
  newContact: 'Nele.Hart',
  turns: [
    { by: 'friend', text: 'Guten Morgen! Kommst du am Samstag mit an den See? ☀️' },
    { by: 'self', text: 'Natürlich. Die Picknickdecke ist schon gepackt.' },
    { by: 'self', text: 'Und der gute Käse 🧀' },
    { by: 'friend', text: 'Du bist der beste Mensch, den ich kenne.' },
    { by: 'friend', text: '😍' },
    { by: 'friend', text: 'Die Boote fahren jede halbe Stunde: https://example.org/see/boote' },
    { by: 'self', text: 'Nehmen wir das um neu', edited: 'Nehmen wir das um neun.' },
    { by: 'self', media: 'image' },
    { by: 'self', text: 'Das habe ich dort letzten Sommer gemalt.' },
    { by: 'friend', text: 'Wunderschön! Das muss in deine Küche.' },
    { by: 'friend', media: 'audio' },
    { by: 'self', text: 'Dein Lachen am Ende! Bis um neun 👋' },
  ],
  unreadTexts: [
    'Ich habe das Buch gefunden, das du gesucht hast!',
    'Es stand ausgerechnet hinter dem Atlas.',
    'Soll ich es am Donnerstag mitbringen?',
  ],
  others: [
    ['malte', 'Danke, es läuft wieder. Du hast meinen Abend gerettet.'],
    ['Amelie.W', 'Der Zug ist ausnahmsweise pünktlich 🚆'],
    ['opa_heinz', 'Jetzt sehe ich dein Bild. Wie mache ich es größer?'],
    ['Yasin', 'Abgemacht. Halb acht am üblichen Ort.'],
  ],
  draft: 'Ich bringe die Limonade mit, und wenn das Wetter hält',
  unsent: 'Vergiss den Sonnenhut nicht!',
  invitationNote: 'Ruderverein, alle Altersgruppen',
};

/** Returns the content of a language. */
export function sampleContentOf(language: TestLanguage): SampleContent {
  return language === 'en' ? ENGLISH : GERMAN;
}
