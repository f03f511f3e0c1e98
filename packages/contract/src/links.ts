/** A link in a text: UTF-16 offsets of its start and end, and its URL. */
export interface TextLink {
  readonly start: number;
  readonly end: number;
  readonly href: string;
}

// Repetitions are bounded where two parts could match the same character, so that long texts are scanned in
// linear time. Bidirectional control characters are excluded, as they could disguise a URL.
const URL_LINK =
  /https?:\/\/[^\s<>"\p{Bidi_Control}]+|mailto:[^\s<>"\p{Bidi_Control}]+|www\.[^\s<>".\p{Bidi_Control}]{1,63}\.[^\s<>"\p{Bidi_Control}]+/giu;

/** An email address from its `@` on. Looking for its start instead takes 50 times as long in long texts. */
const EMAIL =
  /(?<=(?<local>[\p{L}\p{N}._%+-]{1,64}))@[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){1,8}/giu;

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
    const shown = withoutClosing(found);
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
  EMAIL.lastIndex = from + 1;
  const match = EMAIL.exec(text);
  if (!match) return undefined;
  const start = Math.max(from, match.index - (match.groups?.['local']?.length ?? 0));
  return { start, text: text.slice(start, match.index + match[0].length) };
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
  return /^(?:[\w.+'-]|%[89a-f][\da-f])+@(?:[\w.-]|%[89a-f][\da-f])+$/i.test(recipient)
    ? `mailto:${recipient}`
    : undefined;
}

// Excludes trailing punctuation from a link, and closing brackets that were not opened within it.
function withoutClosing(text: string): string {
  // Counted once, as a text may consist of brackets only.
  const unopened = { ')': surplus(text, '(', ')'), ']': surplus(text, '[', ']') };
  let end = text.length;
  while (end > 0) {
    const last = text.charAt(end - 1);
    const isUnopened = (last === ')' || last === ']') && unopened[last]-- > 0;
    if (!isUnopened && !/[.,;:!?'*_~…]/u.test(last)) break;
    end -= 1;
  }
  return text.slice(0, end);
}

/** Returns how many more closing than opening brackets a text has. */
function surplus(text: string, open: string, close: string): number {
  return text.split(close).length - text.split(open).length;
}
