import { codePoints } from './limits.ts';

/** A link in a text: UTF-16 offsets of its start and end, and its URL. */
export interface TextLink {
  readonly start: number;
  readonly end: number;
  readonly href: string;
}

// The expressions are strings, as the `v` flag is newer than the syntax target of the sources. No two parts that repeat
// match the same character without a bound, so that long texts are scanned in linear time.

/** Punctuation within words beyond ASCII: dashes, apostrophes, middle dots, and marks of Hebrew, Armenian and Tibetan. */
const WITHIN_WORDS = String.raw`[[\p{Pd}\p{Pc}]--\p{ASCII}]’‘‛·‧・･׳״\u055a-\u055e་༌`;

/**
 * The characters of a URL in a text. All other punctuation beyond ASCII ends a link, such as quotation marks and
 * brackets of all languages, as URLs encode it. So do invisible characters that may disguise a URL, unless they join
 * letters.
 */
const URL_CHARACTERS = String.raw`[^\s\p{Cc}<>"\x60[\p{Cf}--[\u200c\u200d\u{e0020}-\u{e007f}]][[\p{P}\uff01-\uff65]--[${WITHIN_WORDS}\p{ASCII}\p{L}\p{N}]]]`;
/** Up to the next of several URLs without a space between them. */
const REST_OF_URL = String.raw`(?:[${URL_CHARACTERS}--[,;]]|[,;](?!https?:\/\/))+`;
/** The characters of a label of a domain, which may consist of emoji. */
const IN_LABEL = String.raw`[\p{L}\p{M}\p{N}\p{So}\u200d_\-]`;
/** A host whose last label goes on with a word of another script, up to that. No such domain exists. */
const HOST_BEFORE_WORD = String.raw`(?:${IN_LABEL}*\.)+\p{sc=Latn}+(?=[^\p{sc=Latn}\p{ASCII}])(?!${IN_LABEL}*\.${IN_LABEL})`;
/** The beginning of a web address without a protocol. */
const WWW = String.raw`(?<![\p{sc=Latn}\d])(?=www\.${IN_LABEL}{1,63}\.[\p{L}\p{N}])`;

const URL_LINK = new RegExp(
  String.raw`(?:https?:\/\/|${WWW})(?:${HOST_BEFORE_WORD}|${REST_OF_URL})|mailto:${REST_OF_URL}`,
  'giv',
);

/** The punctuation that does not belong to a URL at its end. */
const CLOSING = new RegExp(String.raw`[.,;:!?'*~\|${WITHIN_WORDS}]`, 'v');

const LABEL = String.raw`[\p{L}\p{N}][\p{L}\p{M}\p{N}\-]{0,62}`;
/** A domain of the highest level, which is in one script. */
const TOP_LEVEL = String.raw`(?:xn--[a-z\d\-]{1,59}|\p{sc=Latn}{2,63}|[\p{L}--\p{sc=Latn}][[\p{L}\p{M}]--\p{sc=Latn}]{1,62})(?![\p{sc=Latn}\p{N}@])`;
/** An email address from its `@` on. Looking for its start instead takes 50 times as long in long texts. */
const EMAIL_DOMAIN = new RegExp(String.raw`@(?:${LABEL}\.){1,8}${TOP_LEVEL}`, 'giv');

const ATOM = String.raw`[\p{L}\p{M}\p{N}_%+&'\-]`;
/** What is before the `@`. */
const EMAIL_LOCAL = new RegExp(String.raw`(?![\-'&])${ATOM}+(?:\.${ATOM}+)*$`, 'v');
/** The beginning of an address that is not recognized as a whole, and must not be linked in part. */
const REST_OF_LOCAL = /(?:@|[\p{L}\p{N}][!#$*/=?^`{|}~’ʼ'&-])$/u;
/** How many characters an address has before its `@` at most, and code units for them and what is before. */
const LOCAL_MAX = 64;
const LOCAL_UNITS = 200;

const SAFE_PROTOCOLS = new Set(['http:', 'https:', 'mailto:']);

// Exists in browsers and in Node, whose types this package does not include.
declare const URL: {
  new (
    url: string,
  ): Readonly<Record<'href' | 'pathname' | 'protocol' | 'username' | 'password', string>>;
  canParse(url: string): boolean;
};

/** A part of a text that looks like a link. */
interface Candidate {
  readonly start: number;
  readonly text: string;
}

/** Returns the links of a text (http, https and mailto only) in the order of the text. */
export function findLinks(text: string): TextLink[] {
  return [...parseLinks(text, () => true)];
}

/** Returns the links of a text to web pages, which are those that a search for links finds. */
export function findWebLinks(text: string): TextLink[] {
  return [...parseLinks(text, isWebAddress)];
}

/** Returns whether a text contains a link to a web page. */
export function hasWebLink(text: string): boolean {
  return parseLinks(text, isWebAddress).next().done !== true;
}

function* parseLinks(text: string, isWanted: (shown: string) => boolean): Generator<TextLink> {
  for (const { start, text: found } of findCandidates(text)) {
    if (!isWanted(found)) continue;
    const shown = withoutClosing(found, text.charAt(start - 1));
    const href = safeHref(shown);
    if (href) yield { start, end: start + shown.length, href };
  }
}

/** Yields what looks like a link, in the order of the text. What begins first wins, and a URL over an address. */
function* findCandidates(text: string): Generator<Candidate> {
  let end = 0;
  let url = findUrl(text, end);
  let email = findEmail(text, end);
  for (;;) {
    const next = url && (email === undefined || url.start <= email.start) ? url : email;
    if (next === undefined) return;
    yield next;
    end = next.start + next.text.length;
    if (url && url.start < end) url = findUrl(text, end);
    if (email && email.start < end) email = findEmail(text, end);
  }
}

function findUrl(text: string, from: number): Candidate | undefined {
  URL_LINK.lastIndex = from;
  const match = URL_LINK.exec(text);
  return match ? { start: match.index, text: match[0] } : undefined;
}

function findEmail(text: string, from: number): Candidate | undefined {
  // An address needs a character before its @.
  EMAIL_DOMAIN.lastIndex = from + 1;
  for (;;) {
    const match = EMAIL_DOMAIN.exec(text);
    if (!match) return undefined;
    const { index } = match;
    const before = text.slice(Math.max(from, index - LOCAL_UNITS), index);
    const [local = ''] = EMAIL_LOCAL.exec(before) ?? [];
    const isWhole = !REST_OF_LOCAL.test(before.slice(0, before.length - local.length));
    if (local !== '' && isWhole && codePoints(local) <= LOCAL_MAX) {
      return { start: index - local.length, text: local + match[0] };
    }
  }
}

/** Returns whether what looks like a link leads to a web page, and not to an email address. */
function isWebAddress(shown: string): boolean {
  return /^(?:https?:\/\/|www\.)/i.test(shown);
}

function safeHref(text: string): string | undefined {
  let candidate = text;
  if (/^www\./i.test(text)) candidate = `https://${text}`;
  else if (!/^(?:https?:\/\/|mailto:)/i.test(text)) candidate = `mailto:${text}`;
  // Takes a tenth of the time of an exception.
  if (!URL.canParse(candidate)) return undefined;
  const url = new URL(candidate);
  // Credentials before an @ could look like a host name.
  const isPlain = url.username === '' && url.password === '';
  if (!isPlain || !SAFE_PROTOCOLS.has(url.protocol)) return undefined;
  return url.protocol === 'mailto:' ? mailHref(url.pathname) : url.href;
}

/** Returns a link to write to an address, without a subject, a text or other recipients. */
function mailHref(recipient: string): string | undefined {
  return /^(?:[\w.+'&-]|%[89a-f][\da-f])+@(?:[\w.-]|%[89a-f][\da-f])+$/i.test(recipient)
    ? `mailto:${recipient.replaceAll('&', '%26')}`
    : undefined;
}

/**
 * Returns a link without punctuation after it, closing brackets that were not opened within it, and underscores around it.
 * @param before the character before the link
 */
function withoutClosing(text: string, before: string): string {
  // Counted once, as a text may consist of brackets only.
  const unopened: Record<string, number> = {
    ')': surplus(text, '(', ')'),
    ']': surplus(text, '[', ']'),
    '}': surplus(text, '{', '}'),
  };
  let end = text.length;
  while (end > 0) {
    const last = text.charAt(end - 1);
    const isUnopened = (unopened[last] ?? 0) > 0;
    if (isUnopened) unopened[last] = (unopened[last] ?? 0) - 1;
    else if (!CLOSING.test(last) && !(last === '_' && before === '_')) break;
    end -= 1;
  }
  return text.slice(0, end);
}

/** Returns how many more closing than opening brackets a text has. */
function surplus(text: string, open: string, close: string): number {
  return text.split(close).length - text.split(open).length;
}
