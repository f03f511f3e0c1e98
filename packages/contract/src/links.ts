/** A link in a text: UTF-16 offsets of its start and end, and its URL. */
export interface TextLink {
  readonly start: number;
  readonly end: number;
  readonly href: string;
}

// Repetitions are bounded where two parts could match the same character, so that long texts are scanned in
// linear time. Bidirectional control characters are excluded, as they could disguise a URL.
const LINK =
  /https?:\/\/[^\s<>"\p{Bidi_Control}]+|mailto:[^\s<>"\p{Bidi_Control}]+|www\.[^\s<>".\p{Bidi_Control}]{1,63}\.[^\s<>"\p{Bidi_Control}]+|[\p{L}\p{N}._%+-]{1,64}@[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){1,8}/giu;

const SAFE_PROTOCOLS = new Set(['http:', 'https:', 'mailto:']);

// Exists in browsers and in Node, whose types this package does not include.
declare const URL: new (
  url: string,
) => Readonly<Record<'href' | 'pathname' | 'protocol' | 'username' | 'password', string>>;

/** Returns the links of a text (http, https and mailto only) in the order of the text. */
export function findLinks(text: string): TextLink[] {
  const links: TextLink[] = [];
  for (const match of text.matchAll(LINK)) {
    const shown = withoutClosing(match[0]);
    const href = safeHref(shown);
    if (href) links.push({ start: match.index, end: match.index + shown.length, href });
  }
  return links;
}

/** Returns the links of a text to web pages, which are those that a search for links finds. */
export function findWebLinks(text: string): TextLink[] {
  return findLinks(text).filter(isWebLink);
}

/** Returns whether a text contains a link to a web page. */
export function hasWebLink(text: string): boolean {
  return findLinks(text).some(isWebLink);
}

function isWebLink({ href }: TextLink): boolean {
  return !href.startsWith('mailto:');
}

function safeHref(text: string): string | undefined {
  let candidate = text;
  if (/^www\./i.test(text)) candidate = `https://${text}`;
  else if (!/^(?:https?:\/\/|mailto:)/i.test(text)) candidate = `mailto:${text}`;
  try {
    const url = new URL(candidate);
    // Credentials before an @ could look like a host name.
    const isPlain = url.username === '' && url.password === '';
    if (!isPlain || !SAFE_PROTOCOLS.has(url.protocol)) return undefined;
    return url.protocol === 'mailto:' ? mailHref(url.pathname) : url.href;
  } catch {
    return undefined;
  }
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
