/**
 * Returns the content security policy of the page. It is stricter than the server's own, as the desktop app needs
 * only one live connection and no frames.
 */
export function createContentSecurityPolicy(
  serverOrigin: string,
  mediaOrigins: readonly string[],
): string {
  const media = mediaOrigins.join(' ');
  // `self` covers the live connection only if the page has the server's origin.
  const live = serverOrigin.replace(/^http/, 'ws');
  const directives = [
    "default-src 'none'",
    "script-src 'self'",
    // The emoji picker injects styles by script.
    "style-src 'self' 'unsafe-inline'",
    `img-src 'self' data: blob: ${media}`,
    `media-src 'self' blob: ${media}`,
    `connect-src 'self' ${live} ${media}`,
    "font-src 'self'",
    "manifest-src 'self'",
    "worker-src 'self'",
    "frame-src 'none'",
    "frame-ancestors 'none'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
  ];
  return directives.map((directive) => directive.trim()).join('; ');
}
