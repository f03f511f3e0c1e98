import {
  createExcerpt,
  findWebLinks,
  type Excerpt,
  type SearchConditions,
  type SearchHit,
} from '@parley/contract';

/** Returns what to show of the text of a message that was found. If any link was searched for, from the link on. */
export function excerptOf({ message, excerpt }: SearchHit, conditions: SearchConditions): Excerpt {
  if (conditions.kind !== 'link' || excerpt.ranges.length > 0) return excerpt;
  const start = findWebLinks(message.content)[0]?.start ?? 0;
  const { text } = createExcerpt(message.content.slice(start), []);
  return { text: start > 0 ? `…${text}` : text, ranges: [] };
}
