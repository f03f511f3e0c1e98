/**
 * Returns the avatar URL of a username by filling in the server's template, which may be relative to the
 * server's origin. Undefined if the result is not a valid URL, as not every name can be part of a host name.
 */
export function avatarUrl(
  template: string,
  name: string,
  serverOrigin: string,
): string | undefined {
  const filled = template.replaceAll('{name}', () => encodeURIComponent(name));
  const base = `${serverOrigin}/`;
  return URL.canParse(filled, base) ? new URL(filled, base).href : undefined;
}
