import type { LoadedChatroom } from '@parley/client';
import {
  findWebLinks,
  hasWebLink,
  type Message,
  type SearchHit,
  type SearchKind,
  type TextLink,
} from '@parley/contract';
import { notAfterToday } from '../../../format/dates.ts';
import { isTextKind } from '../../../format/message-kinds.ts';
import { shorten } from '../../../format/preview.ts';

/** The part of a gallery from one month. */
export interface GalleryMonth<Item> {
  /** A time in the month, ISO 8601. */
  time: string;
  items: Item[];
}

/** A link in a message. */
export interface GalleryLink {
  key: string;
  href: string;
  /** Host name without `www.`. */
  host: string;
  /** The link and the text around it, on one line. */
  text: string;
  message: Message;
}

/**
 * Returns the messages that a search has found, newest first, with those that have arrived since. Searches do not
 * include new messages by themselves.
 */
export function withArrived(
  hits: readonly SearchHit[],
  room: Pick<LoadedChatroom, 'messages'> | undefined,
  kind: SearchKind,
): Message[] {
  const found = hits.map(({ message }) => message);
  const newest = found[0]?.seq ?? 0;
  const isWanted = (message: Message): boolean =>
    kind === 'link'
      ? isTextKind(message.kind) && hasWebLink(message.content)
      : message.kind === kind;
  const arrived = room?.messages.filter((message) => message.seq > newest && isWanted(message));
  return [...(arrived ?? []).toReversed(), ...found];
}

/** Maximum number of characters before a link in its text. */
const LEAD_LENGTH = 30;
/** Maximum number of characters of the text with a link. */
const TEXT_LENGTH = 200;

/** Returns the links in messages, in the order of each text. A message may contain a link several times. */
export function linksOf(messages: readonly Message[]): GalleryLink[] {
  return messages.flatMap((message) =>
    withoutDuplicates(findWebLinks(message.content)).map(({ start, href }) => ({
      key: `${message._id}:${start}`,
      href,
      host: new URL(href).hostname.replace(/^www\./, ''),
      text: textAround(message.content, start),
      message,
    })),
  );
}

/**
 * Groups items, which are sorted by time, by their months in the local time zone. Times after today count as today.
 */
export function groupByMonth<Item>(
  items: readonly Item[],
  timeOf: (item: Item) => string,
  today: Date,
): GalleryMonth<Item>[] {
  const months: (GalleryMonth<Item> & { key: string })[] = [];
  for (const item of items) {
    const time = timeOf(item);
    const date = notAfterToday(time, today);
    const key = `${date.getFullYear()}-${date.getMonth()}`;
    const last = months.at(-1);
    if (last?.key === key) last.items.push(item);
    else months.push({ key, time: date === today ? today.toISOString() : time, items: [item] });
  }
  return months;
}

/** Returns the part of a text from some words before an offset, on one line. */
function textAround(text: string, offset: number): string {
  const begin = Math.max(0, offset - LEAD_LENGTH);
  if (begin === 0) return shorten(text, TEXT_LENGTH);
  const space = text.slice(begin, offset).search(/\s/);
  const start = space === -1 ? offset : begin + space;
  return `… ${shorten(text.slice(start), TEXT_LENGTH)}`;
}

function withoutDuplicates(links: readonly TextLink[]): TextLink[] {
  return [...Map.groupBy(links, ({ href }) => href).values()].flatMap(([first]) => first ?? []);
}
