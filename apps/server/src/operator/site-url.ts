import type { Config } from '../config.ts';

/** The address that people open, as far as it is known; without a trailing slash. */
export function getSiteUrl({ publicUrl, port }: Pick<Config, 'publicUrl' | 'port'>): string {
  return publicUrl ?? `http://localhost:${port}`;
}
