import { Type, type Static } from 'typebox';
import { LIMITS } from '../limits.ts';
import { Id, oneOf } from './common.schemas.ts';
import { Message } from './messages.schemas.ts';

/** What a search can find besides words. A link is a text with a web address. */
export const SearchKind = oneOf('image', 'audio', 'link');
export type SearchKind = Static<typeof SearchKind>;

/** The conditions of a search, which all apply. At least one besides `chatroomId` is required. */
const conditions = {
  query: Type.Optional(
    Type.String({
      maxLength: LIMITS.searchQueryMax * 2,
      description:
        `Words that a text contains in any order, also within longer words; up to ${LIMITS.searchQueryMax} ` +
        `characters. Case and accents have no effect, and ae, oe and ue also find ä, ö and ü. Without ` +
        `chatroomId, one word needs ${LIMITS.searchWordMin} characters`,
    }),
  ),
  chatroomId: Type.Optional(Id),
  from: Type.Optional(oneOf('me', 'partner')),
  kind: Type.Optional(SearchKind),
  before: Type.Optional(
    Type.Integer({ description: 'Messages sent before this time; UTC milliseconds' }),
  ),
  after: Type.Optional(
    Type.Integer({ description: 'Messages sent at this time or later; UTC milliseconds' }),
  ),
};

export const SearchConditions = Type.Object(conditions);
export type SearchConditions = Static<typeof SearchConditions>;

export const SearchBody = Type.Object({
  ...conditions,
  order: Type.Optional(
    Type.Union([Type.Literal('newest'), Type.Literal('oldest')], {
      description: 'Which messages come first. The newest ones by default',
    }),
  ),
  cursor: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'From the response before, to continue it with the same conditions',
    }),
  ),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: LIMITS.searchPageMax,
      description: `${LIMITS.searchPageDefault} by default`,
    }),
  ),
});
export type SearchBody = Static<typeof SearchBody>;

/** A part of a text: UTF-16 offsets of its start and end. */
export const TextRange = Type.Object({ start: Type.Integer(), end: Type.Integer() });
export type TextRange = Static<typeof TextRange>;

/** A part of a text with the searched words in it. */
export const Excerpt = Type.Object({
  text: Type.String({
    description:
      `Up to ${LIMITS.searchExcerpt} characters of the text around the first word, on one line, with … where ` +
      'it was shortened. Empty for media',
  }),
  ranges: Type.Array(TextRange, { description: 'Where the words are in it, in ascending order' }),
});
export type Excerpt = Static<typeof Excerpt>;

/** A message that was found. */
export const SearchHit = Type.Object({ message: Message, excerpt: Excerpt });
export type SearchHit = Static<typeof SearchHit>;

export const SearchResponse = Type.Object({
  hits: Type.Array(SearchHit),
  cursor: Type.Optional(
    Type.String({
      description:
        'Present if there may be more, even if there are fewer hits than the limit, or none: a response ' +
        'ends after a certain effort',
    }),
  ),
  total: Type.Optional(
    Type.Integer({
      description:
        'Only with chatroomId and without a cursor: the number of messages that the whole search finds; ' +
        `${LIMITS.searchTotalMax} also if there are more. Omitted if counting would take too long`,
    }),
  ),
});
export type SearchResponse = Static<typeof SearchResponse>;
