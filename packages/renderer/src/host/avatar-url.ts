/**
 * The picture for a name: the server's template with the name in it, relative ones on the server's own
 * origin. Undefined where that is no address: not every name can be part of a host.
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
