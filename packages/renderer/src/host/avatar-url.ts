/** The picture for a name: the server's template with the name in it, relative ones on the server's own origin. */
export function avatarUrl(template: string, name: string, serverOrigin: string): string {
  const filled = template.replaceAll('{name}', () => encodeURIComponent(name));
  return new URL(filled, `${serverOrigin}/`).href;
}
