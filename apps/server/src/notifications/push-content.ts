import {
  isolate,
  isTextual,
  LIMITS,
  PUSH_TAGS,
  type MessageKind,
  type NotificationContent,
  type PushPayload,
} from '@parley/contract';
import { fill, fillPlural, loadEveryLanguage, type Language } from '@parley/texts';
import { PUSH_MESSAGE_MAX } from './push-encryption.ts';
import { graphemesOf, shortenText } from './shorten-text.ts';

const TEXTS = await loadEveryLanguage('push');

/** What a notification is about. */
export type PushSubject =
  | { type: 'message'; seq: number; kind: MessageKind; text: string; unread: number }
  /** The first message of a user whom the recipient has not accepted. Its text is not shown. */
  | { type: 'request'; seq: number }
  /** A reaction to a message of the recipient. */
  | { type: 'reaction'; seq: number; kind: MessageKind; text: string; emoji: string }
  /** The partner has accepted an invitation of the recipient. */
  | { type: 'invitation' };

/** The recipient of a notification and what the device is to show besides. */
export interface PushRecipient {
  readonly language: Language;
  readonly username: string;
  /** Origin of the page that a tap opens. */
  readonly site: string;
  readonly content: NotificationContent;
  readonly isSilent: boolean;
  /** Total of unread messages. */
  readonly unread: number;
  /** Chatrooms whose notifications the device is to close. */
  readonly read: readonly string[];
}

/** Returns the content of a notification, and which chatrooms it names as read. */
export function createPushContent(
  recipient: PushRecipient,
  chatroomId: string,
  partnerName: string,
  subject: PushSubject,
): { json: Buffer; read: readonly string[] } {
  const { language, username: user, site, isSilent, unread, read } = recipient;
  const room = `${site}/chatarea/chats/${chatroomId}`;
  const { action } = TEXTS[language];
  const { title, body } = createTexts(recipient, partnerName, subject);
  const { type } = subject;
  const seq = type === 'invitation' ? undefined : subject.seq;
  const isReaction = type === 'reaction';
  return fit(read, body, (closed, shortened) =>
    createPayload(language, unread, {
      title,
      body: shortened,
      tag: isReaction ? PUSH_TAGS.reaction(chatroomId) : PUSH_TAGS.message(chatroomId),
      navigate: isReaction ? `${room}/messages/${seq}` : room,
      ...(isSilent && { silent: true }),
      data: {
        type,
        user,
        chatroom: chatroomId,
        ...(seq !== undefined && { seq }),
        unread,
        read: closed,
      },
      ...(type === 'message' && {
        actions: [
          { action: 'reply', title: action.reply, navigate: `${room}?reply` },
          { action: 'read', title: action.read, navigate: room },
        ],
      }),
    }),
  );
}

/** Returns the content of a test notification. */
export function createTestContent(
  language: Language,
  site: string,
  unread: number,
): { json: Buffer } {
  const { title, body } = TEXTS[language].test;
  return fit([], body, (read, shortened) =>
    createPayload(language, unread, {
      title,
      body: shortened,
      tag: PUSH_TAGS.test,
      navigate: `${site}/settings`,
      data: { type: 'test', unread, read },
    }),
  );
}

function createPayload(
  lang: Language,
  unread: number,
  notification: Omit<PushPayload['notification'], 'lang' | 'dir' | 'app_badge'>,
): PushPayload {
  return {
    web_push: 8030,
    notification: { ...notification, lang, dir: 'auto', app_badge: String(unread) },
    app_badge: unread,
    mutable: true,
  };
}

function createTexts(
  { language, content }: PushRecipient,
  name: string,
  subject: PushSubject,
): { title: string; body: string } {
  const texts = TEXTS[language];
  const general = content === 'none' ? texts.none : texts.who;
  const title = content === 'none' ? texts.none.title : fill(texts.who.title, { name });
  if (subject.type === 'invitation') {
    return content === 'none'
      ? { title, body: texts.none.invitation }
      : { title: fill(texts.who.invitation, { name }), body: texts.who.invitationHelp };
  }
  if (subject.type === 'request') return { title, body: general.request };
  if (subject.type === 'reaction') {
    const body = content === 'whoAndWhat' ? describeReaction(language, subject) : general.reaction;
    return { title, body };
  }
  const { unread: count } = subject;
  if (content !== 'whoAndWhat') {
    return { title, body: fillPlural(language, general, 'message', count) };
  }
  return {
    title: count > 1 ? fill(texts.who.titleWithCount, { name, count }) : title,
    body: isTextual(subject.kind) ? excerptOf(language, subject.text) : texts.what[subject.kind],
  };
}

function describeReaction(
  language: Language,
  { kind, text, emoji: code }: Extract<PushSubject, { type: 'reaction' }>,
): string {
  const { what } = TEXTS[language];
  const emoji = excerptOf(language, code);
  if (kind === 'image') return fill(what.reactionToImage, { emoji });
  if (kind === 'audio') return fill(what.reactionToAudio, { emoji });
  return fill(what.reaction, { emoji, text: isolate(excerptOf(language, text)) });
}

function excerptOf(language: Language, text: string): string {
  return shortenText(text, LIMITS.pushExcerpt, TEXTS[language].what.circassia);
}

/** Shortens what may be shortened until the message has a size that every push service accepts. */
function fit(
  read: readonly string[],
  body: string,
  create: (read: readonly string[], body: string) => PushPayload,
): { json: Buffer; read: readonly string[] } {
  let closed = read;
  const whole = graphemesOf(body);
  let characters = whole;
  for (;;) {
    const shown = characters.length < whole.length ? `${characters.join('')}…` : body;
    const json = Buffer.from(JSON.stringify(create(closed, shown)));
    if (json.length <= PUSH_MESSAGE_MAX) return { json, read: closed };
    if (closed.length === 0 && characters.length === 0) throw new Error('the message is too long');
    if (closed.length > 0) closed = closed.slice(0, Math.floor(closed.length / 2));
    else characters = characters.slice(0, Math.floor(characters.length * 0.8));
  }
}
