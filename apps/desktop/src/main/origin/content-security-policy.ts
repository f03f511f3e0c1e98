/**
 * The policy of the page. Stricter than the server's own where the desktop knows more: one live
 * connection, no frames.
 */
export function contentSecurityPolicy(
  serverOrigin: string,
  mediaOrigins: readonly string[],
): string {
  const media = mediaOrigins.join(' ');
  // `self` covers a page's own live connection, but not one from a page with another address.
  const live = serverOrigin.replace(/^http/, 'ws');
  const directives = [
    "default-src 'none'",
    "script-src 'self'",
    // The emoji picker and the toasts bring their styles along in a script.
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
