import type { Language } from '@parley/contract';

/** German if the first language of an `Accept-Language` header (RFC 9110 §12.5.4) is, English otherwise. */
export function preferredLanguage(header: string | undefined): Language {
  return header?.trim().toLowerCase().startsWith('de') ? 'de' : 'en';
}
