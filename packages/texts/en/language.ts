import type { LanguageDefinition } from '../src/language-definition.ts';

export default {
  name: 'English',
  // Dates are written day first and times with twelve hours; no single locale does both.
  locale: 'en-GB',
  timeLocale: 'en-US',
  dictionaries: ['en-US', 'en-GB', 'en'],
  texts: {
    app: () => import('./app.json', { with: { type: 'json' } }),
    desktop: () => import('./desktop.json', { with: { type: 'json' } }),
    errors: () => import('./errors.json', { with: { type: 'json' } }),
    mail: () => import('./mail.json', { with: { type: 'json' } }),
  },
} satisfies LanguageDefinition;
