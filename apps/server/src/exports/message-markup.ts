import { CUSTOM_REACTION, findLinks, joinLines, type Quote, type Reaction } from '@parley/contract';
import { fill } from '@parley/texts';
import type { ViewedMessage, ViewedQuote } from '../viewed-message.ts';
import { markup, type Markup } from './markup.ts';
import type { PageFormat } from './page-format.ts';

/** The file of a message in an archive: a path from the page, or why there is none. */
export type ExportedFile = { readonly path: string } | 'unavailable' | 'blocked';

/** What a message is shown with. */
interface MessageContext {
  readonly format: PageFormat;
  readonly ownName: string;
  /** Whether the name of the sender is shown. */
  readonly isFirst: boolean;
  /** Undefined for texts. */
  readonly file: ExportedFile | undefined;
  /** Returns the link to a message of the chat. */
  readonly linkTo: (seq: number) => string;
}

/** Returns a message as a part of a page. */
export function renderMessage(message: ViewedMessage, context: MessageContext): Markup {
  const { format, ownName, isFirst, linkTo } = context;
  const { texts } = format;
  const { username } = message.sender;
  const isOwn = username === ownName;
  return markup`<article class="message${isOwn ? ' own' : ''}" id="m${message.seq}">
${isFirst && markup`<div class="sender"><bdi>${username}</bdi></div>\n`}${
    message.isForwarded === true && markup`<div class="meta">${texts.messages.forwarded}</div>\n`
  }${message.replyTo && renderQuote(format, message.replyTo, linkTo)}${renderContent(message, context)}
${(message.reactions ?? []).map((reaction) => renderReaction(format, reaction))}<div class="meta">${renderTimes(format, message)}</div>
</article>
`;
}

function renderTimes(
  format: PageFormat,
  { createdAt, updatedAt }: Pick<ViewedMessage, 'createdAt' | 'updatedAt'>,
): Markup {
  const { messages } = format.texts;
  const sent = markup`<time datetime="${createdAt}" title="${format.dateTimeText(createdAt)}">${format.time(createdAt)}</time>`;
  if (updatedAt === createdAt) return sent;
  const editedAt = fill(messages.editedAt, { time: format.dateTimeText(updatedAt) });
  return markup`${sent} · <time datetime="${updatedAt}" title="${editedAt}">${messages.edited}</time>`;
}

function renderContent(message: ViewedMessage, { format, file }: MessageContext): Markup {
  const { texts } = format;
  if (typeof message.content === 'string') return renderText(format, message.content);
  if (file === undefined || file === 'unavailable') {
    return markup`<p class="note">${texts.messages.unavailable}</p>`;
  }
  if (file === 'blocked') return markup`<p class="note">${texts.messages.blockedImage}</p>`;
  const { path } = file;
  if (message.kind === 'audio') {
    return markup`<audio controls preload="none" src="${path}"></audio>
<a href="${path}">${texts.messages.audio}</a>`;
  }
  const { width, height } = message.media ?? {};
  const size =
    width !== undefined && height !== undefined && markup` width="${width}" height="${height}"`;
  return markup`<a href="${path}"><img src="${path}" alt="${texts.messages.image}" loading="lazy"${size}></a>`;
}

function renderText(format: PageFormat, text: string): Markup {
  const parts: Markup[] = [];
  let end = 0;
  for (const link of findLinks(text)) {
    parts.push(markup`${withNames(format, text.slice(end, link.start))}`);
    const shown = text.slice(link.start, link.end);
    parts.push(
      markup`<a href="${link.href}" target="_blank" rel="noopener noreferrer">${shown}</a>`,
    );
    ({ end } = link);
  }
  parts.push(markup`${withNames(format, text.slice(end))}`);
  return markup`<div class="text" dir="auto">${parts}</div>`;
}

function renderQuote(
  format: PageFormat,
  quote: ViewedQuote,
  linkTo: (seq: number) => string,
): Markup {
  const { messages } = format.texts;
  if (quote.isDeleted === true) return markup`<div class="quote">${messages.quoteGone}</div>\n`;
  const excerpt = excerptOf(format, quote);
  return markup`<a class="quote" href="${linkTo(quote.seq)}"><bdi>${quote.username}</bdi>: <bdi>${excerpt}</bdi></a>\n`;
}

function excerptOf(
  format: PageFormat,
  { kind, content }: Pick<Quote, 'kind'> & Pick<ViewedQuote, 'content'>,
) {
  const { messages } = format.texts;
  if (kind === 'image') return messages.image;
  if (kind === 'audio') return messages.audio;
  return typeof content === 'string' ? withNames(format, joinLines(content)) : '';
}

function renderReaction(format: PageFormat, { emoji, usernames }: Reaction): Markup {
  const names = usernames.map((name, i) => markup`${i > 0 && ', '}<bdi>${name}</bdi>`);
  return markup`<div class="meta">${withNames(format, emoji)} ${names}</div>\n`;
}

/** Replaces the product's own emoji, which is a picture, with its name. */
function withNames({ texts }: PageFormat, text: string): string {
  return text.replaceAll(CUSTOM_REACTION, `[${texts.messages.circassia}]`);
}
