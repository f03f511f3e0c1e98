import type { Config } from '../config.ts';

/**
 * Returns the URL of the site without a trailing slash; a local URL if no public one is configured.
 */
export function getSiteUrl({ publicUrl, port }: Pick<Config, 'publicUrl' | 'port'>): string {
  return publicUrl ?? `http://localhost:${port}`;
}

/** Returns whether a link of a site only works on the server's machine. */
export function isLocalLink(link: string): boolean {
  return new URL(link).hostname === 'localhost';
}
