/**
 * Returns whether an `If-None-Match` header (RFC 9110 §13.1.2) matches a tag by weak comparison.
 */
export function matchesEntityTag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  if (header.trim() === '*') return true;
  const expected = getOpaqueTag(etag);
  return header.split(',').some((tag) => getOpaqueTag(tag) === expected);
}

function getOpaqueTag(tag: string): string {
  return tag.trim().replace(/^W\//, '');
}
