import { LANGUAGES, type Language } from '@parley/texts';

const UNITS = ['kilobyte', 'megabyte', 'gigabyte'] as const;

/** Formats the size of a file, given in bytes: `12 kB`, `3.4 MB`. At least 1 kB. */
export function formatFileSize(bytes: number, language: Language): string {
  const exponent = Math.min(Math.max(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), 1), 3);
  const unit = UNITS[exponent - 1] ?? 'gigabyte';
  const size = bytes / 1_000 ** exponent;
  return new Intl.NumberFormat(LANGUAGES[language].locale, {
    style: 'unit',
    unit,
    maximumFractionDigits: size < 10 && exponent > 1 ? 1 : 0,
  }).format(exponent === 1 ? Math.max(size, 1) : size);
}
