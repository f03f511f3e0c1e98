import type { Message } from '@parley/contract';
import type { Entry, OrderScope } from './ledger.ts';

/**
 * Returns the albums that are not what a client sends: images of one user in a row, then at most one
 * caption.
 * @param found the messages on the server, in order
 */
export function findAlbumProblems(
  found: ReadonlyMap<Entry, Message>,
  scopeOf: (username: string) => OrderScope,
): string[] {
  const all = [...found];
  const albums = Map.groupBy(all, ([, { albumId }]) => albumId);
  albums.delete(undefined);
  return [...albums.values()].flatMap((album) => {
    const entries = album.map(([entry]) => entry);
    const lanes = entries.map(({ lane, forwarded }) => {
      if (!forwarded) return lane;
      return forwarded.kind === 'image' ? 'image' : 'caption';
    });
    const names = entries.map(({ content }) => `"${content}"`).join(', ');
    const images = lanes.filter((lane) => lane === 'image').length;
    const isCaptionLast = images === lanes.length || lanes.indexOf('caption') === images;
    if (!isCaptionLast || images < lanes.length - 1)
      return [`the album ${names} is ${lanes.join()}`];
    const [first] = entries;
    if (!first || entries.some(({ username }) => username !== first.username)) {
      return [`the album ${names} is of two users`];
    }
    const scope = scopeOf(first.username);
    const isOfPage = entries.every(({ page }) => page === first.page);
    if (scope === 'none' || (scope === 'page' && !isOfPage)) return [];
    const sent = all
      .map(([entry]) => entry)
      .filter(
        ({ username, page, lane, isCertain }) =>
          username === first.username &&
          lane !== 'first' &&
          (scope === 'user' || (page === first.page && isCertain)),
      );
    const start = sent.indexOf(first);
    const isInRow = entries.every((entry, i) => !entry.isCertain || sent[start + i] === entry);
    return isInRow ? [] : [`the album ${names} is interrupted`];
  });
}
